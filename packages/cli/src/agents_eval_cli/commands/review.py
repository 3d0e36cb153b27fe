"""`agents-eval review`: agents review a paper."""

from pathlib import Path
from typing import Annotated

import typer

from agents_eval_cli import options
from agents_eval_cli.ending import RUN_FAILED
from agents_eval_cli.named_paper import named_paper
from agents_eval_cli.reviewing import reviewed
from agents_eval_cli.session import Session
from agents_eval_cli.views.evaluated import evaluated_object, evaluated_view
from agents_eval_core.claude_code_sessions import record_of_session
from agents_eval_core.ports.engine import Limits
from agents_eval_core.use_cases.judge_choice import judge_spec


def command(
    ctx: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(help="A paper of your own (PDF, Markdown, text, LaTeX, parsed JSON) or of a PeerRead folder."),
    ] = None,
    *,
    paper: Annotated[str | None, typer.Option(help="The paper's id; 'agents-eval papers list' shows them.")] = None,
    reference: Annotated[
        list[Path] | None, typer.Option(help="A human review of your own paper: text or JSON; may be repeated.")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(help="Where --paper is from: peerread or sample; default is peerread.")
    ] = None,
    data_dir: options.DataDir = None,
    composition: Annotated[
        str | None, typer.Option(help="Which agents take part: manager, manager+researcher, …, full.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="What does the work: mas, direct, or Claude Code as cc-solo or cc-teams.")
    ] = "mas",
    provider: Annotated[
        str | None,
        typer.Option(help="Where the agents' model comes from; default is AGENTS_EVAL_PROVIDER, else offline."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Which model; auto: one that takes the paper; default: the provider's.")
    ] = None,
    fallback: Annotated[
        list[str] | None, typer.Option(help="A model that takes over, as provider:model; may be repeated.")
    ] = None,
    token_limit: Annotated[
        int | None,
        typer.Option(min=1, help="Tokens the run may take; default is AGENT_TOKEN_LIMIT, else the provider's."),
    ] = None,
    request_limit: Annotated[int | None, typer.Option(min=1, help="Model requests the run may make.")] = None,
    cost_limit: Annotated[float | None, typer.Option(min=1e-6, help="What the models may cost, in US dollars.")] = None,
    time_limit: Annotated[float | None, typer.Option(min=0.001, help="How long the run may take, in seconds.")] = None,
    critic: Annotated[bool, typer.Option("--critic", help="Let a Critic challenge the draft.")] = False,
    web_search: Annotated[
        bool,
        typer.Option("--web-search", help="Let who reads the paper search the web; never for the paper's own reviews."),
    ] = False,
    query: Annotated[str, typer.Option(help="What else the agents are asked.")] = "",
    judge: options.Judge = None,
    judge_provider: options.JudgeProvider = None,
    judge_model: options.JudgeModel = None,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder of prompt files that replace the built-in ones.")
    ] = None,
    made_earlier: Annotated[
        str | None,
        typer.Option("--from", help="A session of Claude Code made earlier: its stream file, or claude-code:ID."),
    ] = None,
    no_evaluate: Annotated[bool, typer.Option("--no-evaluate", help="Keep the run without a scorecard.")] = False,
) -> None:
    """Let agents review a paper; keep the run and evaluate it.

    Progress goes to standard error; the scorecard and the list of files written go to standard output.
    Without --provider nothing leaves this machine: the offline baseline is no language model.
    """
    session = Session(ctx)
    chosen = named_paper(paper, file, dataset, data_dir)
    done = reviewed(
        session,
        chosen.paper,
        data_dir=chosen.data_dir,
        dataset=chosen.dataset,
        references=reference or (),
        composition=composition,
        engine=engine,
        provider=provider,
        model=model,
        fallbacks=fallback or (),
        limits=Limits(requests=request_limit, tokens=token_limit, cost_usd=cost_limit, seconds=time_limit),
        critic=critic,
        web_search=web_search,
        query=query,
        judge=judge_spec(judge, judge_provider, judge_model),
        prompts_dir=prompts,
        made_earlier=None if made_earlier is None else record_of_session(made_earlier),
        evaluate=not no_evaluate,
    )
    session.give("review", evaluated_object(done), evaluated_view(done))
    if done.run.status != "complete":
        session.complain(done.run.problem.message if done.run.problem else f"the run is {done.run.status}")
        raise typer.Exit(RUN_FAILED)
