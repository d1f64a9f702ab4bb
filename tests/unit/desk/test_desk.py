"""Covers: quchong.desk: lists, pairs, labels, verdicts, measures and what is asked, as the page has them.

Compared against: the tables of the run. Run: pytest tests/unit/desk/test_desk.py.
"""

import http.client
import json
import os
import re
import shlex
import signal
import string
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from desk_client import Client

import quchong as qc
from quchong.desk.page import OWN, SHARED, desk_words, own_asset
from quchong.errors import UsageError
from quchong.relations import RELATIONS
from quchong.runs.decisions_file import read_acts
from quchong.views.page import asset
from quchong.views.words import words

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"


def everything(client, **asked):
    """All rows of a list, page by page."""
    query = "&".join(f"{k}={v}" for k, v in asked.items())
    rows, page = [], 0
    while True:
        found = client.get(f"list?{query}&page={page}")
        for row in found["rows"]:
            names = found["documents"]["id"]
            rows.append(row | {"ids": (names[row["left"]], None if row["right"] is None else names[row["right"]])})
        page += 1
        if page >= found["pages"]:
            assert len(rows) == found["total"]
            return rows


def test_the_lists_hold_every_removal_and_every_pair_once(client, folder):
    run = qc.load(folder)
    removed, pairs = everything(client, view="removed"), everything(client, view="pairs", sort="id")
    assert sorted(row["ids"] for row in removed) == sorted((r["id"], r["survivor_id"]) for r in run.ledger.to_pylist())
    assert [row["ids"] for row in pairs] == [(r["left_id"], r["right_id"]) for r in run.pairs.to_pylist()]
    assert {row["pair"] for row in removed} == {row["pair"] for row in pairs if row["removal"] >= 0}


@pytest.mark.parametrize("view", ["removed", "pairs"])
def test_filters_and_orders(client, view):
    rows = everything(client, view=view)
    score = lambda row: max(row["jaccard"], row["containment"])  # noqa: E731
    for relation in RELATIONS:
        assert len(everything(client, view=view, relation=relation)) == sum(row["relation"] == relation for row in rows)
    assert (
        len(everything(client, view=view, rule="containment")) == sum(row["rule"] == "containment" for row in rows) > 0
    )
    assert {row["pair"] for row in everything(client, view=view, low=0.6, high=0.9)} == {
        r["pair"] for r in rows if 0.6 <= score(r) <= 0.9
    }
    assert {row["pair"] for row in everything(client, view=view, search="N00")} == {
        r["pair"] for r in rows if "n00" in "".join(r["ids"])
    }
    low, high = (list(map(score, everything(client, view=view, sort=sort))) for sort in ("low", "high"))
    assert low == sorted(low) and high == sorted(high, reverse=True)
    assert everything(client, view=view, relation="nothing") == [] == everything(client, view=view, search="%E2%9F%A8")


def test_the_nearest_to_the_line_come_first(client, folder):
    first = everything(client, view="removed")[:5]
    assert {row["ids"][0] for row in first} <= set(qc.load(folder).least_similar(12)["id"].to_pylist())


def test_a_removal_is_shown_as_the_ledger_has_it(client, folder):
    run = qc.load(folder)
    for k, row in enumerate(run.ledger.to_pylist()[:12]):
        found = client.get(f"pair?removal={k}")
        names, texts = found["documents"]["id"], found["documents"]["text"]
        shown = found["shown"]
        assert (names[shown["left"]], names[shown["right"]]) == (row["id"], row["survivor_id"]) and shown["removed"]
        told = run.explain(row["id"])
        assert (texts[str(shown["left"])][0], texts[str(shown["right"])][0]) == (told.text, told.survivor_text)
        assert len(shown["passages"]) == len(row["passages"])
        whole = [
            d
            for d in row["differences"]
            if not any(min(d["end"], p["end"]) - max(d["start"], p["start"]) > 0 for p in row["passages"])
        ]  # a difference that covers shared passages is split into its parts outside of them
        assert (
            len(shown["differences"]) >= len(row["differences"])
            if len(whole) < len(row["differences"])
            else len(shown["differences"]) == len(whole)
        )
        assert found["said"] == {
            "pair": found["said"]["pair"],
            "removal": k,
            "label": None,
            "asked": False,
            "verdict": "",
        }
        assert "title" in found["documents"]["fields"][str(shown["left"])]["shown"]


def test_a_pair_of_which_both_stay_is_shown(client):
    row = everything(client, view="pairs", relation="variant")[0]
    found = client.get(f"pair?pair={row['pair']}")
    assert found["said"]["removal"] == -1 and not found["shown"]["removed"]
    assert found["shown"]["differences"] and found["shown"]["passages"]


def test_the_page_has_the_templates_of_the_run(client, folder):
    page = client.send("GET", "")[2].decode()
    found = re.search(r'<script type="application/json" id="model">(.*?)</script>', page, re.DOTALL)
    listed = json.loads(found[1])["templates"]
    assert [one["records"] for one in listed] == qc.load(folder).templates["records"].to_pylist()
    assert '<section id="templates" hidden>' in page


def test_acts_are_in_the_file_when_they_are_answered(client, desk, folder):
    run = qc.load(folder)
    said = client.post("verdict", {"removal": 3, "act": "overturn"})["said"]
    assert said["verdict"] == "overturn"
    client.post("label", {"pair": 7, "label": "different"})
    client.post("label", {"pair": 8, "label": "unsure", "asked": True})
    acts, torn = read_acts(desk.decisions)
    assert torn == [] and [type(act).__name__ for act in acts] == ["Verdict", "Label", "Label"]
    row, pair = run.ledger.to_pylist()[3], run.pairs.to_pylist()[7]
    assert (acts[0].id, acts[0].survivor_id) == (row["id"], row["survivor_id"])
    assert (acts[1].left_id, acts[1].right_id, acts[1].label, acts[1].how) == (
        pair["left_id"],
        pair["right_id"],
        "different",
        "chosen",
    )
    assert acts[2].how == "asked" and acts[2].at.startswith("20")
    assert [row["removal"] for row in everything(client, state="overturn")] == [3]
    assert {row["pair"] for row in everything(client, view="pairs", state="labelled")} == {7, 8}
    assert len(everything(client, view="removed", state="open")) < 45
    assert client.post("verdict", {"removal": 3, "act": "clear"})["said"]["verdict"] == ""
    assert client.post("label", {"pair": 7, "label": None})["said"]["label"] is None
    assert everything(client, state="overturn") == []


def test_a_desk_that_is_opened_again_has_everything(folder):
    with qc.load(folder).review() as desk:
        client = Client(desk.url)
        client.post("verdict", {"removal": 0, "act": "accept"})
        client.post("label", {"pair": 5, "label": "contained", "asked": True})
        before = client.get("measures")
    assert desk.decisions == folder.resolve().with_name("news.decisions.jsonl")
    with qc.load(folder).review() as desk:
        client = Client(desk.url)
        assert client.get("measures") == before
        assert client.get("pair?removal=0")["said"]["verdict"] == "accept"
        assert client.get("pair?pair=5")["said"] | {"removal": 0} == {
            "pair": 5, "removal": 0, "label": "contained", "asked": True, "verdict": client.get("pair?pair=5")["said"]["verdict"],
        }  # fmt: skip


def test_tabs_that_act_at_once_lose_nothing(client, desk, folder):
    """Eight tabs, each labelling pairs of its own and all of them one pair."""
    answers = []

    def tab(k):
        for n in range(8):
            answers.append(client.post("label", {"pair": 8 * k + n, "label": "same"}))
            answers.append(client.post("label", {"pair": 70, "label": ["same", "different"][k % 2]}))

    threads = [threading.Thread(target=tab, args=(k,)) for k in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(answers) == 128
    acts, torn = read_acts(desk.decisions)
    assert len(acts) == 128 and not torn
    assert client.get("measures")["labels"] == 65
    pair = qc.load(folder).pairs.to_pylist()[70]
    last = [act.label for act in acts if {act.left_id, act.right_id} == {pair["left_id"], pair["right_id"]}][-1]
    assert client.get("pair?pair=70")["said"]["label"] == last


def test_two_desks_over_one_file_see_each_other(folder):
    with qc.load(folder).review() as one, qc.load(folder).review() as other:
        Client(one.url).post("verdict", {"removal": 1, "act": "overturn"})
        Client(other.url).post("label", {"pair": 2, "label": "same"})
        for desk in (one, other):
            found = Client(desk.url).get("measures")
            assert found["overturned"] == 1 and found["labels"] == 1


def test_kill_9_loses_no_acknowledged_label(folder, tmp_path):
    """A desk in a process of its own is killed while labels come in from four tabs."""
    code = (
        "import sys, quchong as qc\n"
        "desk = qc.load(sys.argv[1]).review(sys.argv[2]); print(desk.url, flush=True); desk.wait()"
    )
    book = tmp_path / "book.jsonl"
    worker = subprocess.Popen([sys.executable, "-c", code, str(folder), str(book)], stdout=subprocess.PIPE, text=True)
    client = Client(worker.stdout.readline().strip())
    acknowledged, enough = [], threading.Event()

    def tab(k):
        for n in range(10_000):
            pair = (4 * n + k) % 80
            try:
                said = client.post("label", {"pair": pair, "label": ["same", "different", "contained"][n // 25 % 3]})[
                    "said"
                ]
            except (OSError, http.client.HTTPException):  # the desk is gone
                return
            acknowledged.append((k, n, pair, said["label"]))
            if len(acknowledged) > 60:
                enough.set()

    threads = [threading.Thread(target=tab, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    assert enough.wait(60)
    os.kill(worker.pid, signal.SIGKILL)
    [t.join() for t in threads]
    worker.wait()
    worker.stdout.close()
    pairs = qc.load(folder).pairs.to_pylist()
    numbers = {(p["left_id"], p["right_id"]): k for k, p in enumerate(pairs)}
    acts, _ = read_acts(book)
    written = [(numbers[act.left_id, act.right_id], act.label) for act in acts]
    for k in range(4):
        mine = [(pair, label) for tab, _, pair, label in acknowledged if tab == k]
        there = [one for one in written if one[0] % 4 == k]
        assert there[: len(mine)] == mine  # all that was acknowledged, in order; one more may have been written
    with qc.load(folder).review(book) as desk:
        assert Client(desk.url).get("measures")["labels"] == len({pair for pair, _ in written})


def test_measures_follow_the_labels(client, folder):
    run = qc.load(folder)
    found = client.get("measures")
    assert (
        found["whole"] == sum(r != "exact" for r in run.pairs["relation"].to_pylist())
        and found["precision"]["value"] is None
    )
    assert found["thresholds"]["why"] == "few"
    asked = 0
    while not (answer := client.get("ask")).get("none"):
        truth = answer["shown"]["relation"] in ("duplicate", "contains", "contained_in")
        client.post("label", {"pair": answer["said"]["pair"], "label": "same" if truth else "different", "asked": True})
        asked += 1
    found = client.get("measures")
    assert asked == found["whole"] == found["used"] == found["drawn"] and found["open"] == 0
    assert found["precision"]["value"] == found["recall"]["value"] == found["f1"] == 1
    assert 0.8 < found["precision"]["low"] < 1
    curve = found["thresholds"]["curve"]
    assert len(curve) > 20 and curve[0][0] == 0.3
    by_labels = {
        p: (p["relation"] in ("duplicate", "contains", "contained_in"))
        for p in map(_frozen, run.examined_pairs.to_pylist())
    }
    for value, precision, recall, _ in curve[::7]:  # the same figures, counted over all pairs of a run decided again
        again = run.rethreshold(value)
        called = {
            (p["left_id"], p["right_id"])
            for p in again.pairs.to_pylist()
            if p["relation"] in ("duplicate", "contains", "contained_in")
        }
        true = {(p["left_id"], p["right_id"]) for p, yes in by_labels.items() if yes}
        assert recall == pytest.approx(len(true & called) / len(true))
        assert precision == pytest.approx(len(true & called) / len(called))


class _frozen(dict):
    def __hash__(self):
        return hash((self["left_id"], self["right_id"]))


def test_what_is_asked_is_drawn_by_labels_and_seed(folder):
    def drawn(seed, n=12):
        path = folder.with_name("drawn.jsonl")
        path.unlink(missing_ok=True)
        with qc.load(folder).review(path, seed=seed) as desk:
            client, found = Client(desk.url), []
            for _ in range(n):
                found.append(client.get("ask")["said"]["pair"])
                client.post("label", {"pair": found[-1], "label": "unsure", "asked": True})
            return found

    assert drawn(0) == drawn(0) != drawn(1)
    assert len(set(drawn(0))) == 12


def test_a_skipped_pair_is_not_asked_now(client):
    first = client.get("ask")["said"]["pair"]
    second = client.get(f"ask?skipped={first}")["said"]["pair"]
    assert second != first and client.get("ask")["said"]["pair"] == first


def test_labels_go_out_as_pairs_with_ids_of_their_type(tmp_path, article_rows):
    run = qc.dedup(article_rows, out=tmp_path / "numbers")
    assert run.pairs.schema.field("left_id").type == "int64"
    with run.review() as desk:
        client = Client(desk.url)
        client.post("label", {"pair": 0, "label": "same", "asked": True})
        status, headers, body = client.send("GET", "labels.jsonl")
    assert status == 200 and "attachment" in headers["content-disposition"]
    (line,) = map(json.loads, body.splitlines())
    assert (
        line["left_id"] == run.pairs["left_id"][0].as_py()
        and isinstance(line["left_id"], int)
        and line["label"] == "same"
    )
    out = tmp_path / "pairs.jsonl"
    table = run.labels(out=out)
    assert table["label"].to_pylist() == ["same"] and table.schema.field("left_id").type == "int64"
    assert out.read_bytes() == body
    with pytest.raises(UsageError, match="out"):
        run.labels(overwrite=True)


@pytest.fixture
def article_rows():
    text = "云河市召开会议，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题，会议持续三天。"
    return [{"id": 10, "text": text}, {"id": 9, "text": text}, {"id": 7, "text": text * 2}]


@pytest.mark.parametrize(
    "given", [{"annotate": True}, {"method": "exact"}, {"method": "two-stage"}, {"method": "ccdet"}, {"method": "simhash"}, {"relations": "exact"},
              {"facts": "remove"}],
)  # fmt: skip
def test_runs_of_every_kind_have_a_desk(tmp_path, given):
    run = qc.dedup(NEWS, out=tmp_path / "run", recall_sample=0, **given)
    with run.review() as desk:
        client = Client(desk.url)
        assert client.send("GET", "")[0] == 200
        assert len(everything(client, view="removed")) == run.counts["removed"] == len(run.ledger)
        rows = everything(client, view="pairs")
        assert len(rows) == run.pairs.num_rows
        for row in rows[:2]:
            found = client.get(f"pair?pair={row['pair']}")
            assert all(found["documents"]["text"].values())
        answer = client.get("ask")
        assert answer.get("none") or client.post(
            "label", {"pair": answer["said"]["pair"], "label": "same", "asked": True}
        )
        assert client.get("measures")["thresholds"]


def test_a_removal_without_a_survivor_can_be_decided(tmp_path):
    rows = [{"id": f"p{k}", "text": f"第{k}条：今天在云河市第{k * 7}号街区看到一只猫"} for k in range(600)]
    run = qc.dedup(rows, out=tmp_path / "run", method="two-stage", stage1="bloom", error_rate=0.2, capacity=600)
    lost = [k for k, row in enumerate(run.ledger.to_pylist()) if row["survivor_id"] is None]
    with run.review() as desk:
        client = Client(desk.url)
        found = client.get(f"pair?removal={lost[0]}")
        assert found["shown"]["right"] is None and found["said"]["pair"] == -1 and found["documents"]["text"]
        client.post("verdict", {"removal": lost[0], "act": "overturn"})
        assert [row["right"] for row in everything(client, state="overturn")] == [None]
    assert list(run.restore(decisions=desk.decisions).ids) == [found["documents"]["id"][found["shown"]["left"]]]


def test_a_run_without_pairs_has_a_desk(tmp_path):
    run = qc.dedup(["一篇", "两篇文章"], out=tmp_path / "run")
    with run.review() as desk:
        client = Client(desk.url)
        for view in ("removed", "pairs"):
            for sort in ("line", "low", "high", "id"):
                assert everything(client, view=view, sort=sort, state="open", search="a") == []
        assert client.get("ask") == {"none": True} and client.get("measures")["whole"] == 0


def test_texts_that_moved_are_shown_as_missing(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(
            "云河市召开会议，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题。", "utf-8"
        )
    run = qc.dedup(folder, out=tmp_path / "run")
    (folder / "a.txt").unlink()
    with run.review() as desk:
        found = Client(desk.url).get("pair?removal=0")
        assert len(found["documents"]["text"]) == 1 and found["shown"]["passages"] == []


def test_a_full_disk_is_told_and_nothing_is_acknowledged(client, desk, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _d: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert "No space left" in client.post("label", {"pair": 0, "label": "same"}, status=507)["error"]
    monkeypatch.undo()
    assert client.get("measures")["labels"] == 0
    client.post("label", {"pair": 0, "label": "same"})
    assert client.get("measures")["labels"] == 1


def test_a_torn_line_is_told(folder):
    book = folder.with_name("news.decisions.jsonl")
    book.write_bytes(b'{"act": "label", "left_id": "n0')
    with qc.load(folder).review() as desk:
        client = Client(desk.url)
        assert client.get("measures")["state"]["torn"] == 1
        client.post("label", {"pair": 0, "label": "same"})
        assert client.get("measures")["state"] == {"file": book.name, "acts": 1, "torn": 1}


def test_every_word_is_said_in_both_languages():
    own = {key: said for key, said in desk_words().items() if key not in words()}
    assert own and all(key.startswith("desk.") for key in own)
    for key, said in own.items():
        assert set(said) == {"en", "zh"} and all(said.values()), key
        fields = [sorted(name for _, name, _, _ in string.Formatter().parse(said[tag]) if name) for tag in ("en", "zh")]
        assert fields[0] == fields[1], key
        assert not re.search(r"[\u4e00-\u9fff]", said["en"]), key
    assert {k for k, said in own.items() if not re.search(r"[\u4e00-\u9fff]", said["zh"])} == {
        "desk.percent",
        "desk.best",
        "desk.search",
    }


def test_every_word_that_is_asked_for_is_there_and_every_one_is_asked_for():
    source = "\n".join([*map(own_asset, OWN), *map(asset, SHARED[1:])])
    asked = set(re.findall(r"""["'`]([a-z_]+(?:\.[a-zA-Z_ ,]+)*)["'`]""", source))
    prefixes = ("desk.label.", "desk.best.", "desk.state.", "desk.sort.", "desk.view.", "desk.nav.")
    own = {key for key in desk_words() if key not in words()}
    assert {key for key in own if key not in asked and not key.startswith(prefixes)} == set()
    for key in re.findall(r"""q\.t\("([^"]+)"[),]""", source):
        assert key in desk_words(), key


def test_scripts_set_text_never_html_and_ask_the_desk_alone():
    for name in OWN:
        source = own_asset(name)
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setTimeout\(['\"]", source
        ), name
        assert not re.search(
            r"setAttribute\(\s*['\"](?:style|on\w+)|https?://|XMLHttpRequest|WebSocket|sendBeacon|EventSource", source
        ), name
        assert ("fetch(" in source) == (name == "asking.js")
    assert not re.search(r"\son\w+=|style=|javascript:", own_asset("desk.html"))
    assert "url(" not in own_asset("desk.css") and "@import" not in own_asset("desk.css")


def test_without_the_extra_the_desk_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(UsageError, match="pip install"):
        qc.load(folder).review()


def test_the_assets_are_files_of_the_package():
    shipped = {path.name for path in (Path(qc.__file__).parent / "desk" / "assets").iterdir()}
    assert shipped == {*OWN, "desk.html", "desk.css"}


def test_a_command_to_copy_has_the_paths_of_run_and_file_as_a_shell_takes_them(folder):
    for name in ("新闻.decisions-2.jsonl", "$(touch x).jsonl", "-rf", "a b", "it's"):
        path = folder.with_name(name)
        with qc.load(folder).review(path) as desk:
            typed = Client(desk.url).get("measures")["typed"]
        assert shlex.split(typed["decisions"]) == [str(path)] and shlex.split(typed["run"]) == [str(folder)]
    with qc.load(folder).review(folder.with_name("a\u202eb")) as desk:
        assert Client(desk.url).get("measures")["typed"]["decisions"] == "FILE"  # what is pasted is what is seen


def test_the_list_is_sorted_by_its_columns_in_both_directions(client):
    for name in ("jaccard", "containment"):
        for down in ("false", "true"):
            rows = client.get(f"list?sort={name}&down={down}")["rows"]
            values = [row[name] for row in rows]
            assert values == sorted(values, reverse=down == "true")
    found = client.get("list?sort=left")
    ids = [found["documents"]["id"][row["left"]] for row in found["rows"]]
    assert ids == sorted(ids)
    pairs = client.get("list?view=pairs&sort=relation&down=true")["rows"]
    assert pairs[0]["relation"] == "partial" or pairs[0]["relation"] == "variant"
