import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.evaluation.rouge import cut_at, rouge

# Lin 2004, §2 and §3: "police killed the gunman" against "police kill the gunman" and
# "the gunman kill police".
REFERENCE = "police killed the gunman"


@pytest.mark.parametrize(
    ("ours", "one", "two", "longest"),
    [
        ("police kill the gunman", 3 / 4, 1 / 3, 3 / 4),
        ("the gunman kill police", 3 / 4, 1 / 3, 2 / 4),
        ("Police KILLED the gunman.", 1, 1, 1),
        ("", 0, 0, 0),
        ("the the the gunman gunman", 2 / 4, 1 / 3, 2 / 4),
    ],
)
def test_recall_as_worked_by_hand(ours: str, one: float, two: float, longest: float) -> None:
    found = rouge([ours], [REFERENCE])
    assert found.rouge_1 == pytest.approx(100 * one)
    assert found.rouge_2 == pytest.approx(100 * two)
    assert found.rouge_l == pytest.approx(100 * longest)


def test_lines_count_alike_and_those_without_words_do_not() -> None:
    found = rouge(["a b c d", "x", "anything"], ["a b c d", "a b", "..."])
    assert found.rouge_1 == pytest.approx(50)
    assert found.rouge_2 == pytest.approx(50)
    assert rouge(["one"], ["one"]).rouge_2 == 0  # no reference has two words


def test_outputs_are_cut_in_bytes_references_are_not() -> None:
    assert cut_at("ab€d", 4) == "ab"  # the euro sign has three bytes
    assert cut_at("ab€d", 5) == "ab€"
    assert rouge(["one two three"], ["one two three"], cut=7).rouge_1 == pytest.approx(200 / 3)
    assert rouge(["one two three"], ["one two"], cut=6).rouge_1 == pytest.approx(50)  # "tw"
    assert rouge(["x"], ["x"], cut=75).to_dict()["bytes"] == 75


@pytest.mark.parametrize("lines", [([], []), (["a"], [])])
def test_there_must_be_a_reference_for_each(lines: tuple[list[str], list[str]]) -> None:
    with pytest.raises(ValueError, match="hypotheses"):
        rouge(*lines)


@given(st.text(max_size=30), st.text(max_size=30))
def test_recall_is_a_share_and_a_text_recalls_itself(ours: str, theirs: str) -> None:
    found = rouge([ours], [theirs])
    for value in (found.rouge_1, found.rouge_2, found.rouge_l):
        assert 0 <= value <= 100
    assert found.rouge_l <= found.rouge_1 + 1e-9
    same = rouge([theirs], [theirs])
    assert same.rouge_1 in (0.0, pytest.approx(100))


def test_it_agrees_with_the_package_rouge_score() -> None:
    """On English text without stemming, where the package is installed."""
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is not installed")
    pairs = [
        ("The last boat leaves in ten minutes.", "In ten minutes the very last boat leaves."),
        ("We forget names, and we forget keys.", "We forget our keys and our names."),
    ]
    measured = scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    for ours, theirs in pairs:
        want, found = measured.score(theirs, ours), rouge([ours], [theirs])
        assert found.rouge_1 == pytest.approx(100 * want["rouge1"].recall)
        assert found.rouge_2 == pytest.approx(100 * want["rouge2"].recall)
        assert found.rouge_l == pytest.approx(100 * want["rougeL"].recall)
