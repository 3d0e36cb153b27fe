"""What a reviewer without a language model looks for in a paper, and what it says then.

In the sentences stand {work} for the paper's own name, {a} and {b} for two of its phrases near the place, {place},
{quote}, {names} for what was found, {many} for three names or more, {few} for two or less, {data}, {rivals}, {rival},
and {exhibit} for its main table or figure. A sentence with a gap is not said.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_agents.providers.extractive.lines import Role
from agents_eval_agents.providers.extractive.vocabulary import COMPARES

_ENDS: Final[Sequence[Role]] = ("abstract", "introduction", "conclusion")
_EVIDENCE: Final[Sequence[Role]] = ("experiments", "method", "limitations", "appendix", "conclusion")
_IN_ABSTRACT: Final[Sequence[Role]] = ("abstract",)
LIMITS: Final = (
    r"(?i)\blimitations?\b|\bfail(?:s|ure) cases?\b|\b(?:shortcomings?|drawbacks?) of (?:our|the proposed)\b"
    r"|\bour (?:method|approach|work|model|framework|study) (?:does not|cannot|only|may not|assumes|is limited)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Something to look for, and what is said about it.

    Attributes:
        topic: Its name.
        cue: The words that show it; where it has a group, the group must be quoted. Empty where names show it.
        roles: The kinds of section where the words count.
        home: The kinds of section where it is missed when it is absent.
        needs: The property that a paper must have, so that this is looked for at all.
        most: How many sentences that show it are taken.
        is_sought: Whether its absence tells something: then its strengths are said when it was found and the rest when
            it was not. Of a statement, which need not be there, all is said when it is.
        is_spare: Whether it is only spoken of where there is too little else to say.
    """

    topic: str
    cue: str = ""
    roles: Sequence[Role] = _EVIDENCE
    home: Sequence[Role] = ("experiments", "method")
    needs: str = ""
    most: int = 1
    is_sought: bool = True
    is_spare: bool = False
    strengths: str = ""
    weaknesses: str = ""
    questions: str = ""
    suggestions: str = ""


CLAIM: Final = Check(
    topic="a claim",
    cue=r"(?i)\b(?:we(?: have| will| now)?(?: \w+ly| then| also| further| first| thus| hence| next)?"
    r"|this (?:paper|work|article|study)|our (?:work|paper|study|results|experiments|findings)) "
    r"((?:propose|introduce|present|prove|show|demonstrate|establish|develop|design|derive|find|study|investigate|"
    r"analy[sz]e|release|formulate|identify|characteri[sz]e|examine|describe|explore|reveal|argue|provide|extend)"
    r"(?:s|d|ed)?\b)",
    roles=_ENDS,
    most=2,
    strengths='The reader learns early what {work} is meant to do for {a}: "{quote}".',
)
STATEMENTS: Final[Sequence[Check]] = (
    Check(
        topic="a claim of priority",
        cue=r"(?i)\b((?:is|are) the first(?! (?:key|step|part|of))|the first (?:work|method|approach|framework|model|"
        r"to|provable|theoretical|study|system|large|end-to-end|time that))\b",
        roles=_ENDS,
        is_sought=False,
        questions='Which earlier work on {a} comes nearest to the claim "{quote}"?',
    ),
    Check(
        topic="an assumption",
        cue=r"(?i)\b(assum(?:e|es|ing|ed) that|under the assumptions?|we assume)\b",
        roles=("abstract", "method", "experiments"),
        most=2,
        is_sought=False,
        weaknesses='{place} rests on a condition ("{quote}") whose reach for {a} is left open.',
        questions='Does the assumption in {place} ("{quote}") hold for {data}, and what happens to {a} when it fails?',
    ),
    Check(
        topic="something left to later work",
        cue=r"(?i)\b(future (?:work|research|directions?|stud(?:y|ies)|investigation)|in the future|open (?:question|"
        r"problem)|remains? (?:an )?(?:open|unclear|to be)|would be interesting|we (?:plan|leave|hope) (?:to|the)|"
        r"worth (?:studying|exploring|investigating))\b",
        roles=("limitations", "conclusion"),
        most=2,
        is_sought=False,
        weaknesses='Part of the case for {a} is left to later work: "{quote}".',
        questions='For {a}, {place} puts something off ("{quote}"); is there a first result already?',
    ),
    Check(
        topic="tables and figures",
        is_sought=False,
        is_spare=True,
        strengths="{names} let one follow {a} and {b} by eye.",
        questions="What should the reader take from {exhibit} for {a} and {b}?",
    ),
    Check(
        topic="phrases of the abstract only",
        is_sought=False,
        is_spare=True,
        weaknesses="The abstract speaks of {names}, and the sections on method and evidence never do in these words.",
    ),
    Check(
        topic="an exhibit mentioned once",
        is_sought=False,
        is_spare=True,
        weaknesses="{names} is mentioned a single time, so its bearing on {a} is left to the reader.",
    ),
    Check(
        topic="recurring phrases",
        is_sought=False,
        is_spare=True,
        strengths="The text keeps to its subject, with {a} and {b} taken up again and again.",
        questions="What would the results on {a} look like without {b}?",
        suggestions="One more case beyond {data}, chosen to make {a} hard, would be welcome.",
    ),
)
PAPER_CHECKS: Final[Sequence[Check]] = (
    CLAIM,
    Check(
        topic="theorems",
        is_sought=False,
        strengths="What is said on {a} and {b} takes the shape of formal statements: {names}.",
    ),
    Check(
        topic="an improvement without a figure",
        cue=r"(?i)^(?!.*\b(?:none|no|not|never|neither)\b)(?!.*\d).*\b((?:significantly|substantially|considerably|"
        r"markedly|greatly|dramatically|consistently|vastly|notably|clearly) "
        r"(?:improv|outperform|better|reduc|faster|surpass|exceed|enhanc|boost|beat)\w*)",
        roles=(*_ENDS, "experiments"),
        is_sought=False,
        weaknesses='{place} puts no figure beside "{quote}", so gains in {a} stay open.',
        suggestions="Please put the measured difference in {a} beside what {place} says about it in words.",
    ),
    Check(
        topic="a comparison",
        cue=COMPARES,
        roles=(*_EVIDENCE, "abstract"),
        needs="measurements",
        strengths="{work} is held against {known_rivals} on {data}, so its results can be placed.",
        weaknesses="No baseline was found: {place} shows what {work} does for {a}, but whether earlier work does as "
        "well stays open.",
        suggestions="One established way to treat {a} should be run beside {work} and reported in {place}.",
    ),
    Check(
        topic="an experiment",
        cue=r"(?i)\b(?:our|numerical|synthetic|simulation|these|several|extensive|experimental|following) "
        r"(?:experiments?|simulations?|evaluations?|results)\b"
        r"|\bwe (?:\w+ )?(?:simulate|run|conduct|evaluate|measured?|recorded|test(?:ed)?)\b",
        roles=("abstract", "method", "experiments", "appendix"),
        home=("method",),
        needs="theory",
        weaknesses="{place} argues about {a} without a measurement of its own, so its reach in practice is unknown.",
        suggestions="A small simulation of an easy case of {a} would show how tight the argument on {b} is.",
    ),
    Check(
        topic="an ablation",
        cue=r"(?i)\bablat|\bw/o\b|\b(?:effect|impact|contribution) of (?:each|our|different|individual|removing)\b"
        r"|\bwithout (?:the|our|any|using)\b.{0,40}\b(?:drops?|degrad|decreas|worse|lower|component|module)"
        r"|\b(?:remov|disabl|replac|dropp)ing (?:the|our|this|each|any)\b.{0,60}\b(?:drop|degrad|decreas|lower|hurt)"
        r"|\b(?:investigat|evaluat|stud|assess|examin|analy)\w+ the (?:effect|impact|influence) of\b",
        home=("method",),
        needs="a method",
        strengths='Single parts of {work} are put to the test, with {a} in view: "{quote}".',
        weaknesses="{place} builds on {a} and {b}, and with no ablation anywhere it is unclear which part of {work} "
        "carries the effect.",
        suggestions="Please switch off the parts of {work} one by one and report what remains for {a}.",
    ),
    Check(
        topic="a measure of spread",
        cue=r"(?i)±|\\pm\b|\+/-|\bstandard (?:deviations?|errors?)\b|\bstd\b|\berror bars?\b|\bseeds\b|\bbootstrap"
        r"|\bconfidence (?:intervals?|bands?|regions?)\b|\baveraged? (?:over|across) (?:\w+ ){0,3}(?:runs|trials)\b"
        r"|\b(?:independent|repeated|multiple|\d+|five|three|ten) (?:random )?(?:runs|trials|repetitions)\b",
        needs="measurements",
        strengths='Variation between runs is reported, in the part on {a}: "{quote}".',
        weaknesses="Neither error bars nor seeds accompany {data} in {place}; small gaps to {rivals} may be noise.",
        questions="Over how many runs are the figures in {place} averaged, and how far do they lie apart for {a}?",
        suggestions="Please report {data} in {place} with standard deviations, so that {a} can be told from chance.",
    ),
    Check(
        topic="data",
        is_sought=False,
        strengths="Tests reach over {many}, so what is said on {a} rests on more than one source.",
        weaknesses="No data besides {few} could be made out, a narrow base for claims on {a}.",
        questions="What would change for {a} on data unlike {few}?",
    ),
    Check(
        topic="a figure with its unit",
        cue=r"(?i)(?:achiev|improv|outperform|reduc|increas|reach|gain|drop|surpass|obtain|attain|exceed|boost|decreas|sav)"
        r"\w*\b.{0,80}?(?<![\w.,/=±$-])(\d+(?:\.\d+)?\s?(?:%|percent\b|\u00d7|dB\b|x\b|times\b|points\b))",
        roles=("experiments", "abstract", "conclusion"),
        is_sought=False,
        strengths='Gains for {a} can be checked by figures: "{quote}".',
    ),
    Check(
        topic="the cost",
        cue=r"(?i)\bwall-?clock|\brun-?time|\b(?<!at )(?:training|inference|running|computation) (?:time|cost)"
        r"|\bGPU[- ]hours?|\b(?:A100|H100|V100|A6000|RTX|TPU)|\b[GT]?FLOPs\b|\bMACs\b|\bFPS\b|\blatency\b"
        r"|\bmemory (?:usage|footprint|consumption|cost)|\b(?:time|computational) complexity",
        needs="speed",
        strengths='Time or memory is accounted for, next to {a}: "{quote}".',
        weaknesses="Efficiency is part of the argument for {work}, yet {place} leaves out time and memory for {a}.",
        suggestions="A column with running time and memory would complete {exhibit} and support the case for {a}.",
    ),
    Check(
        topic="a limit that is admitted",
        cue=r"(?i)\b((?:main|one|another|a|key) limitation|limitations? (?:of (?:our|this (?:work|paper|study))|is|are|"
        r"include)|we (?:do not|did not|cannot|have not|restrict|only)|our (?:\w+ ){1,2}(?:does not|do not|cannot|"
        r"requires?|relies|may not|(?:is|are) (?:currently )?(?:limited|restricted)))\b",
        roles=("limitations", "conclusion"),
        most=2,
        is_sought=False,
        strengths='What {work} leaves undone is admitted: "{quote}".',
        weaknesses='By the authors\' own account, "{quote}"; this narrows what holds for {a}.',
    ),
    Check(
        topic="a statement of limits",
        cue=LIMITS,
        home=("conclusion", "experiments"),
        weaknesses="{place} has no word on limits, so one has to guess how far {work} carries for {a}.",
        suggestions="A paragraph in {place} on when {rival} is the better choice would help those who need {a}.",
    ),
    Check(
        topic="a significance test",
        cue=r"(?i)\bp\s?[<=≤]\s?0?\.\d|\bp-values?\b|\bsignificance (?:test|level)|\bstatistical(?:ly)? signific"
        r"|\bt-test|\bwilcoxon|\banova\b|\bbootstrap|\bconfidence interval",
        needs="repetitions",
        strengths='Differences in {a} are tested: "{quote}".',
        weaknesses="Differences from {rivals} are read off {place} without a significance test for results on {a}.",
        suggestions="A paired test of {work} against {rival} over several runs on {data} would complete {place}.",
    ),
    Check(
        topic="released code",
        cue=r"(?i)\bcode\b.{0,60}\b(?:available|releas|open|public|provided|found|https?|github|included|supplement)"
        r"|\b(?:releas|open-?sourc|publish)\w*.{0,40}\b(?:code|implementation|models?|weights|checkpoints)"
        r"|github\.com|gitlab\.|anonymous\.4open|huggingface\.co|\bproject page\b",
        roles=(*_EVIDENCE, *_ENDS, "related"),
        home=("conclusion", "abstract"),
        strengths='Others can build on what was done for {a}: "{quote}".',
        weaknesses="With no code or link, results on {data} must be rebuilt from what is said about {a}.",
        suggestions="Scripts that reproduce {exhibit} should be released, with the material behind {a}.",
    ),
    Check(
        topic="the choice of settings",
        cue=r"(?i)\bsensitiv|\brobust(?:ness)? (?:to|of|against)\b|\bhyper-?parameters?\b|\blearning rate|\bepochs?\b"
        r"|\b(?:varying|vary|different (?:values|choices) of|sweep|grid search)\b|\bbatch size|\bstep-?size",
        needs="measurements",
        strengths='Settings behind {a} are laid open: "{quote}".',
        weaknesses="A word on how the settings behind {a} were chosen is missing from {place}.",
        questions="How were the settings of {work} chosen, and how far do {a} and {b} depend on them?",
    ),
    Check(
        topic="an analysis of errors",
        cue=r"(?i)\bfailure (?:cases?|modes?|analy)|\berror analysis|\btypical errors?\b|\bmisclassif|\bworst[- ]case"
        r"|\berrors? (?:made|types?|patterns?)\b|\bfails? (?:to|when|on|in)\b",
        needs="measurements",
        strengths='Failures are shown too, around {a}: "{quote}".',
        weaknesses="{place} reports on {a} without a case in which {work} goes wrong.",
        questions="Which cases of {a} or {b} does {work} get wrong, and why?",
    ),
    Check(
        topic="names compared with",
        is_sought=False,
        weaknesses="No competitor besides {few} could be made out, a thin yardstick for {a}.",
    ),
    *STATEMENTS,
)
ABSTRACT_CHECKS: Final[Sequence[Check]] = (
    CLAIM,
    Check(
        topic="named data",
        needs="practice",
        strengths="A concrete test bed for {a} is named: {names}.",
        weaknesses="The abstract leaves the data unnamed on which {a} and {b} are tried.",
    ),
    Check(
        topic="a figure",
        cue=r"(\d+(?:\.\d+)?\s?(?:%|x\b|\u00d7|percent|times|points)|\b\d+\.\d+\b)",
        roles=_IN_ABSTRACT,
        strengths='A figure for {a} is given at once: "{quote}".',
        weaknesses="No number in the abstract backs {a}; {work} may change {b} much or little.",
        suggestions="Please put a number on {a} in the first lines, next to {b}.",
    ),
    Check(
        topic="a comparison",
        cue=COMPARES,
        roles=_IN_ABSTRACT,
        strengths='A yardstick for {a} is announced: "{quote}".',
        weaknesses="Without a comparison in the abstract, {a} and {b} lack the yardstick of earlier work.",
        questions="How does {work} fare against the best results known for {a}, with equal effort on {b}?",
    ),
    Check(
        topic="a statement of limits",
        cue=LIMITS,
        roles=_IN_ABSTRACT,
        weaknesses="Limits of {a} go unmentioned in the abstract, like the needs of {b}.",
        suggestions="A sentence on where {work} should give way to others in {a} or {b} would help.",
    ),
    *STATEMENTS,
)
