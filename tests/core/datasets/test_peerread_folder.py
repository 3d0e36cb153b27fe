from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.datasets.peerread import PeerReadDataset
from agents_eval_core.datasets.peerread_folder import find_splits
from agents_eval_core.errors import PaperError, UnknownNameError

DATASET = PeerReadDataset()
WritePaper = Callable[..., Path]


def test_venue_and_split_folders_serve_too(peerread: Path) -> None:
    counts = {place: len(list(DATASET.entries(peerread / place))) for place in ("..", "", "acl_2017", "acl_2017/dev")}
    assert counts == {"..": 488, "": 488, "acl_2017": 99, "acl_2017/dev": 6}
    case = DATASET.case("neurips_2025/021PIPyOU1", peerread / "neurips_2025" / "train")
    assert case.id == "neurips_2025/021PIPyOU1"


def test_the_working_directory_serves_too(peerread: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(peerread / "conll_2016" / "dev")
    assert [(split.venue, split.name) for split in find_splits(Path())] == [("conll_2016", "dev")]


def test_without_a_folder_it_says_how_to_give_one() -> None:
    with pytest.raises(PaperError, match="give --data-dir or set AGENTS_EVAL_DATA_DIR"):
        list(DATASET.entries(None))
    with pytest.raises(PaperError, match="give --data-dir or set AGENTS_EVAL_DATA_DIR"):
        DATASET.case("305", None)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PaperError, match=r"there is no folder .*nowhere"):
        list(DATASET.entries(tmp_path / "nowhere"))


def test_a_folder_that_cannot_be_looked_at_is_named() -> None:
    with pytest.raises(PaperError, match=r"xxx cannot be read: .*; check --data-dir"):
        list(DATASET.entries(Path("x" * 5_000)))


def test_a_folder_of_something_else_says_what_was_looked_for_and_found(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    (tmp_path / "figures").mkdir()
    with pytest.raises(PaperError, match=r"<venue>/<train\|dev\|test>/reviews, found figures, thesis.tex; give"):
        list(DATASET.entries(tmp_path))


def test_an_empty_folder_is_not_peerread(tmp_path: Path) -> None:
    with pytest.raises(PaperError, match="found nothing"):
        list(DATASET.entries(tmp_path))


def test_an_id_in_several_venues_lists_them(write_paper: WritePaper) -> None:
    write_paper({"title": "At ACL"}, place="acl_2017/dev")
    data_dir = write_paper({"title": "At ICLR"}, place="iclr_2017/train")
    with pytest.raises(PaperError, match="2 papers have the id '7': acl_2017/7, iclr_2017/7; give one of these"):
        DATASET.case("7", data_dir)
    paper = DATASET.case("acl_2017/7", data_dir).paper
    assert paper is not None
    assert paper.title == "At ACL"


def test_an_id_in_several_splits_of_a_venue_lists_them(write_paper: WritePaper) -> None:
    write_paper({}, place="acl_2017/dev")
    data_dir = write_paper({}, place="acl_2017/train")
    with pytest.raises(PaperError, match="acl_2017/dev/7, acl_2017/train/7"):
        DATASET.case("acl_2017/7", data_dir)
    assert DATASET.case("acl_2017/dev/7", data_dir).id == "acl_2017/7"


def test_an_unknown_paper_gets_near_ids(peerread: Path) -> None:
    with pytest.raises(UnknownNameError, match="no paper named 'B1-Hhnsl'; did you mean 'B1-Hhnslg'"):
        DATASET.case("B1-Hhnsl", peerread)
    with pytest.raises(UnknownNameError, match="did you mean 'iclr_2017/B1-Hhnslg'"):
        DATASET.case("iclr_2017/B1-Hhnsl", peerread)


@pytest.mark.parametrize(
    "hostile",
    [
        "../../outside",
        "../outside",
        "..",
        ".",
        "",
        "/",
        "iclr_2017/../outside",
        "iclr_2017/train/../../outside",
        "iclr_2017/train/reviews/7",
        "..\\outside",
        "/etc/passwd",
        "7\0",
        "7\n",
        "\udc80",
        "*",
        "x" * 100_000,
        "ä" * 199,
        "7/" * 50_000,
    ],
)
def test_a_hostile_id_never_leaves_the_folder(hostile: str, write_paper: WritePaper) -> None:
    data_dir = write_paper({})
    for place in (data_dir, data_dir.parent, data_dir / "iclr_2017", data_dir / "iclr_2017" / "train"):
        (place / "outside.json").write_text('{"title": "outside", "abstract": "outside"}', encoding="utf-8")
    with pytest.raises(UnknownNameError) as problem:
        DATASET.case(hostile, data_dir)
    assert len(str(problem.value)) < 1_500
    assert "outside.json" not in str(problem.value)


def test_an_absolute_path_is_no_id(write_paper: WritePaper, tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_text('{"abstract": "outside"}', encoding="utf-8")
    with pytest.raises(UnknownNameError):
        DATASET.case(str(tmp_path / "outside"), write_paper({}))


def test_files_that_are_no_reviews_are_passed_over(write_paper: WritePaper) -> None:
    data_dir = write_paper({})
    for name in ("._7.json", "README.md", "7.json.part"):
        (data_dir / "iclr_2017/train/reviews" / name).touch()
    assert [entry.id for entry in DATASET.entries(data_dir)] == ["7"]
