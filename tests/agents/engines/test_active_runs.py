from agents_eval_agents.engines.active_runs import ActiveRuns


def test_a_first_run_without_company_was_alone() -> None:
    with ActiveRuns().entered() as run:
        assert run.alone


def test_a_later_run_was_not_alone_since_the_peak_may_be_an_earlier_ones() -> None:
    runs = ActiveRuns()
    with runs.entered():
        pass
    with runs.entered() as second:
        assert not second.alone


def test_company_that_came_and_went_is_remembered() -> None:
    runs = ActiveRuns()
    with runs.entered() as first:
        with runs.entered():
            pass
        assert not first.alone
