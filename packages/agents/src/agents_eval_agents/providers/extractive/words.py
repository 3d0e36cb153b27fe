"""Words that carry no content of their own, and the words that do."""

import re
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS: Final = _words(
    """
    a about above across after again against all almost along already also although always am among an and another any
    are as at be became because become becomes been before being below between beyond both but by can cannot could did
    do does doing done down due during each either else ever every few for from further had has have having he hence her
    here his how however i if in indeed instead into is it its itself just least less like made make makes making many
    may me might more moreover most much must my near neither never no non nor not now of off often on once one only
    onto or other others otherwise our ours out over own per perhaps quite rather really s same several shall she should
    since so some still such t than that the their theirs them themselves then there thereby therefore these they this
    those though three through throughout thus to together too toward towards two under unlike until up upon us use used
    uses using usually various very via was we well were what when where whereas whether which while who whom whose why
    will with within without would yet you your
    """
)

# A key phrase breaks at the words of every paper: verbs in any form, nouns and adjectives with or without an s.
_VERBS = """
    acquir achiev address advanc aim allow analys analyz answer appear appl argu aris ask assess attain bas believ
    benefit bridg bring build captur carr caus chang choos combin compar comput conduct consider consist construct
    contain contribut cover deal defin deliver demonstrat depend deploy deriv describ design desir determin develop
    discover discuss emerg employ enabl encourag enhanc ensur establish evaluat examin exceed exhibit exist explain
    exploit explor expos extend facilitat fac fail find focus follow form formulat foster gain get giv grow guid handl
    help highlight hold hop identif illustrat impl improv includ incorporat increas incur inspir integrat interact
    introduc investigat involv keep know lack lead leav let leverag lie maintain match mean measur minimiz mitigat
    motivat need obtain occur offer operat optimiz outperform overcom perform play pos prefer present preserv prevent
    produc promis propos prov provid rais rang reach receiv reduc refer relat releas rel remain report represent requir
    resolv result return reveal run scal see seek seem select serv shar show solv speak start stem stud submit suffer
    suggest support surpass tackl tak target tend test think train treat tr turn understand updat utiliz validat verif
    want work yield
"""
_PLAIN = """
    ability able accurate additional advance advantage amount analysis analyses approach appropriate aspect attempt
    attention author available average baseline basic basis best better big broad case central challenge choice clear
    close closer code common comparable competitive complex comprehensive conclusion contribution cost critical crucial
    current data dataset degree detail different difficult easy effect effective effectiveness efficacy efficiency
    efficient empirical enough entire essential evaluation even evidence example experiment experimental expensive
    explicit extensive extent family fast faster fewer finding first fixed framework free full fundamental gap general
    good great hard high higher huge idea impact implementation implicit important improvement independent insight
    interest issue key kind known large larger last latest learn latter level light likely limitation limited little
    look lot low lower main major manner matter method methodology modern modest multiple natural nature necessary new
    next notable novel number numerous open order original overall paper part particular performance perspective point
    poor popular portion possible potential powerful practical practice precise presence previous prior problem
    procedure process promising proper property provable question realistic recent related relevant remarkable
    requirement research researcher respective rich richer rigorous robust role sample scenario second sense set setting
    severe side significant similar simple single small solution special specific stage standard state state-of-the-art
    step straightforward strategy strong study subsequent substantial success successful sufficient suitable superior
    surprising systematic task technique term theoretical third thorough tool topic total trade-off traditional true
    truth typical underexplored underlying understanding unexplored unified unique universal unknown unseen useful usual
    valid variety version view way whole wide widespread world year
"""
PAPER_WORD: Final = re.compile(
    rf"(?:{'|'.join(_VERBS.split())})(?:e|es|ed|d|s|ing|y|ies|ied)?|(?:{'|'.join(_PLAIN.split())})s?|(?!anomaly|assembly)\w+ly|\w+i[fz]es"
)

# Acronyms, models, measures and tools of the whole field: neither a paper's own name nor a rival worth mentioning.
GENERIC_NAMES: Final = _words(
    """
    AI API AUC AUROC AUPRC Adam AdamW AlexNet BERT BERTScore BLEU CLIP CNN CPU CUDA CV CI ChatGPT Claude CoT DINO DNN
    DeepSeek DenseNet DeepMind DiT DL EEG ELBO EM ERM FALSE FID FLOP FLUX FVD GAN GB GFLOP GNN GPT GPU Gemini Gemma
    GitHub HCI HTML HTTP ICLR ICML ID IEEE IID II III IMPORTANT IP IV IX IoU JSON KL KKT LM LLM LLaMA LLama LLaVA LPIPS
    LSTM LVLM LaTeX Llama LoRA MAC MAE MAP MB MCMC MCTS MDP MILP MIT ML MLE MLLM MLP MRI MSE MT Mistral MobileNet MoE
    NLI NLL NLP NP NULL NaN NeurIPS NIPS NOTE OOD ODE OpenAI PCA PDE PDF POMDP PPL PSNR PhD Phi PyTorch Python QA QP
    Qwen RAG RAM RGB RGB-D RKHS RL RLHF RMSE RNN ROC ROUGE RTX ReLU ResNet Resnet SD SDE SDXL SE SFT SGD SI SNR SOTA SQL
    SSIM Table STD SVD SVM SoTA SotA State-of-the-Art End-to-End Swin TL DR TPU TRUE TensorFlow UNet U-Net URL USD VAE
    VGG VI VII VLM VQA ViT WER Wi-Fi XGBoost XML fMRI mAP mIoU AGI Sec Tab Thm App Eq Fig
    """
)

DATA_NAMES: Final = _words(
    """
    AGNews AIME ALFWorld APPS ARC AndroidWorld Atari AudioSet BBH BIG-Bench BoolQ C4 CIFAR CLEVR CNN/DailyMail COCO CUB
    CelebA CheXpert ChestX-ray Cityscapes CiteSeer Citeseer CoLA Cora D4RL DAVIS DomainNet Ego4D FB15k FFHQ
    Fashion-MNIST FashionMNIST Flickr30k GLUE GPQA GQA GSM8K HalfCheetah HellaSwag IFEval IMDB IMDb IWSLT ImageNet KITTI
    Kinetics LAION LSUN LibriSpeech M4 MATH MBPP MIMIC MMLU MMMU MNIST MNLI MRPC MS-COCO MSCOCO MSR-VTT MiniGrid
    ModelNet MovieLens MuJoCo MultiNLI OSWorld Objaverse Office-Home OfficeHome Omniglot PACS PIQA PTB PubMed QM9 QNLI
    QQP RTE SNLI SST SQuAD SVHN ScanNet ShapeNet StarCraft SuperGLUE Tiny-ImageNet TinyImageNet UCF UCI VOC WMT WebArena
    WebShop WikiText WinoGrande WordNet Yelp ZINC bAbI nuScenes
    """
)

# Phrases of the whole field come last among key phrases.
COMMON_PHRASE: Final = re.compile(
    r"(?:deep |recurrent |convolutional )?neural (?:network|model)s?|(?:deep |machine |(?:deep )?reinforcement |"
    r"supervised |unsupervised )learning|(?:large |foundation |generative |diffusion |deep )?(?:language )?models?|"
    r"computer vision|artificial intelligence|natural language(?: processing)?|training data|deep networks?"
)
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


def content_words(text: str) -> list[str]:
    """Return the words of a text in lower case that are neither small words nor single characters.

    >>> content_words("The parser of SQuAD-like questions")
    ['parser', 'squad-like', 'questions']
    """
    return [word for word in _WORD.findall(text.lower()) if len(word) > 1 and word not in STOP_WORDS]
