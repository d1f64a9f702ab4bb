"""Examples in the help of each command, as they are typed."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "cli": (
        "quchong dedup news.jsonl -o run/",
        "quchong report run/",
        "quchong compare 你好世界 你好，世界",
    ),
    "dedup": ("quchong dedup news.jsonl -o run/", "quchong dedup 监测.csv --keep earliest -o run/"),
    "resume": ("quchong resume run/", "quchong resume run/ --memory 8G"),
    "index": (
        "quchong index create seen/",
        "tail -f posts.jsonl | quchong index add seen/ -",
        "quchong index query seen/ today.jsonl --json",
    ),
    "index create": (
        "quchong index create seen/ --within 7d",
        "quchong index create seen/ --from run/",
        "quchong index create posts/ --method short-text --per user",
    ),
    "index add": ("quchong index add seen/ news.jsonl", "quchong index add seen/ - < posts.ndjson"),
    "index query": ("quchong index query seen/ today.jsonl", "quchong index query seen/ - --json --only-known"),
    "index delete": ("quchong index delete seen/ n074", "quchong index delete seen/ --ids withdrawn.txt"),
    "index expire": (
        "quchong index expire seen/ --older-than 30d --dry-run",
        "quchong index expire seen/ --older-than 30d",
    ),
    "index compact": ("quchong index compact seen/", "quchong index compact seen/ --refit"),
    "index stats": ("quchong index stats seen/", "quchong index stats seen/ --json"),
    "index verify": ("quchong index verify seen/",),
    "index repair": ("quchong index repair seen/",),
    "index backup": ("quchong index backup seen/ copy/",),
    "index export": ("quchong index export seen/ -o run/",),
    "index migrate": ("quchong index migrate seen/",),
    "lab": ("quchong lab list", "quchong lab run web/ccdet-thresholds --scale quick"),
    "lab list": ("quchong lab list",),
    "lab run": (
        "quchong lab run web/ccdet-thresholds --scale quick",
        "quchong lab run web/ccdet-thresholds --method mine.py:Mine --export made/",
    ),
    "lab show": ("quchong lab show web/ccdet-thresholds",),
    "lab gather": ("quchong lab gather lab/ -o results.md",),
    "serve": ("quchong serve seen/", "quchong serve seen/ --access callers.jsonl --port 8766"),
    "access": ("quchong access add callers.jsonl crawler --role write", "quchong access list callers.jsonl"),
    "access add": (
        "quchong access add callers.jsonl newsroom",
        "quchong access add callers.jsonl crawler --role write",
    ),
    "access list": ("quchong access list callers.jsonl",),
    "access remove": ("quchong access remove callers.jsonl crawler",),
    "verify": ("quchong verify run/",),
    "filter": (
        "tail -f posts.jsonl | quchong filter > new.jsonl",
        "quchong filter posts.jsonl --state seen.state > new.jsonl",
    ),
    "explain": ("quchong explain run/ n074", "quchong explain run/ n074 --json"),
    "templates": ("quchong templates run/", "quchong templates run/ --template 1"),
    "report": ("quchong report run/", "quchong report run/ --xlsx"),
    "review": ("quchong review run/", "quchong review run/ --export labels.jsonl"),
    "chains": ("quchong chains run/", "quchong chains run/ n074", "quchong chains run/ -o chains.jsonl"),
    "eval": ("quchong eval run/ --truth truth.jsonl", "quchong eval run1/ run2/ --truth truth.jsonl"),
    "tune": ("quchong tune news.jsonl --truth truth.jsonl", "quchong tune run/ --truth truth.jsonl"),
    "restore": ("quchong restore run/ n074", "quchong restore run/ --relation contained_in"),
    "compare": ("quchong compare a.txt b.html", "quchong compare 你好世界 你好，世界"),
    "inspect": ("quchong inspect a.txt b.txt", "quchong inspect --run run/ n074 n075"),
    "decontaminate": (
        "quchong decontaminate train.jsonl --against exam.jsonl",
        "quchong decontaminate train/ --against tests/ --mode remove -o clean/",
        "quchong decontaminate train.jsonl --against exam.jsonl --question-key 题目",
    ),
    "passages": ("quchong passages a.txt b.txt", "quchong passages news.jsonl --corpus -o passages/"),
    "statistics": ("quchong statistics news.jsonl -o idf.parquet",),
    "methods": ("quchong methods", "quchong methods minhash"),
    "doctor": ("quchong doctor", "quchong doctor /data --json"),
    "completion": (
        "quchong completion bash >> ~/.bashrc",
        "quchong completion zsh >> ~/.zshrc",
        "quchong completion fish > ~/.config/fish/completions/quchong.fish",
    ),
}
"""Lines by the name of the command; "cli" is `quchong` itself."""
