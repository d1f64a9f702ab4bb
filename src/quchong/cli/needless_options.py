"""Options that people try for what a command does without one, and how it does it."""

from __future__ import annotations

from quchong.languages import Message

NEEDLESS = (
    ("methods", "list all ls search filter family kind type category group",
     Message("all of them are listed if no option is given: {}", "quchong methods")),
    ("", "gpu cuda device use-gpu", Message("everything is computed on processors: leave it out")),
    ("dedup", "limit head max-docs max-records n-samples first-n nrows", Message(
        "all records are read; the first {} are: {}", 1000, "head -1000 news.jsonl | quchong dedup - -o run/")),
    ("eval", "metric metrics measure measures score scores f1 指标",
     Message("all measures are printed; for use by a program, {}", "--json")),
    ("dedup", "output-format out-format output-type save-as export excel xlsx 输出格式 导出",
     Message("rows are written in the format of their input; for a workbook of the removed documents: {}", "quchong report RUN --xlsx")),
    ("", "sep delimiter delim separator csv-sep 分隔符", Message("the separator of a table is detected: leave it out")),
    ("", "header no-header has-header skip-header headers 表头", Message("the first row of a table names its columns: leave it out")),
    ("", "sheet sheet-name sheets worksheet 工作表", Message(
        "all sheets that begin with the row of the first one are read; save another one as a file of its own")),
    ("", "v verbose debug d trace log-level", Message("there is nothing more to show: leave it out")),
    ("", "ignore-case case-insensitive lowercase lower case 忽略大小写", Message(
        "case, width and marks make no difference: leave it out")),
    ("dedup", "delete in-place inplace remove-files rm 原地 删除", Message(
        "inputs are never written to; kept and removed rows are written apart: {}", "-o run/")),
    ("dedup", "append add update 追加", Message(
        "a folder has one run; documents that arrive later are compared with {}", "--against, quchong index add")),
    ("dedup", "sort order-by sort-by 排序", Message(
        "rows stay in the order of the inputs; which copy is kept is chosen with {}", "--keep")),
    ("dedup", "where query since until after before from-date start-date", Message(
        "all records are read: select the rows before, with another tool")),
    ("dedup", "removed removed-file save-removed dups dups-file duplicates duplicates-file dup-file 重复文件", Message(
        "removed rows are written to the run folder, with the reasons: {}", "run/removed.jsonl")),
    ("dedup", "pairs clusters cluster groups save-pairs save-clusters print-pairs", Message(
        "pairs and clusters are written to the run folder: {}", "run/pairs.parquet, run/clusters.parquet")),
    ("", "semantic embedding embeddings model model-name cosine bert sbert vector 语义 模型", Message(
        "wording is compared, not meaning: leave it out; methods are listed by {}", "quchong methods")),
    ("dedup", "fuzzy near near-dup near-duplicate near-duplicates approximate 模糊 近似", Message(
        "near-duplicates are always found; set how similar they must be with {}", "--threshold")),
    ("", "levenshtein edit-distance", Message(
        "each method has its own measure: see {}, and choose a method with {}", "quchong methods", "--method")),
    ("", "lang-detect detect-language language-detection chinese english zh en cn 中文 英文", Message(
        "Chinese and English are read without an option; that of messages is {}", "--lang")),
    ("dedup", "false-positive-weight false-negative-weight fp-weight fn-weight weights", Message(
        "bands and rows follow from the threshold and from {}: leave it out", "--recall")),
    ("dedup", "follow watch tail stream streaming", Message(
        "documents that arrive one at a time are for {}", "quchong index add seen/ -")),
    ("dedup", "timeout max-time time-limit", Message("a run takes as long as it needs; its time is estimated by {}", "--plan")),
    ("dedup", "remove dedup drop remove-duplicates drop-duplicates u unique uniq distinct 去重 唯一",
     Message("copies are always removed: leave it out")),
    ("dedup", "title title-key title-column headline 标题 标题列", Message(
        "several columns are compared together: {}", "--text-key title,text")),
    ("decontaminate", "ngram ngrams n-gram ngram-size n", Message("n-grams are chosen as a rule: {}", "--rule ngram8, --rule ngram13")),
    ("dedup", "lines line-by-line per-line 按行 逐行", Message(
        "to read one text per line, make records of the lines: {}", "jq -R '{text: .}' posts.txt | quchong dedup - -o run/")),
    ("filter", "near fuzzy threshold similarity sim jaccard method", Message(
        "this command finds exact repeats only; near-duplicates are found by {}", "quchong dedup")),
    ("create", "ttl expire max-age older-than days", Message(
        "documents are deleted by age with {}", "quchong index expire seen/ --older-than 30d")),
    ("add", "dry-run n dryrun preview", Message("to ask without adding: {}", "quchong index query seen/ news.jsonl")),
    ("query", "min-score threshold similarity score cutoff min-sim 阈值 相似度", Message(
        "it is set when an index is created: {}", "quchong index create seen/ --threshold 0.8")),
    ("tune", "metric measure objective optimize optimise", Message(
        "the threshold with the highest F1 is chosen; to require a precision: {}", "--least-precision 0.95")),
    ("inspect", "text input", Message("texts and files are given without an option: {}", "quchong inspect a.txt b.txt")),
    ("filter", "reset restart fresh clear clean clear-state new-state", Message(
        "to forget what passed before, delete the file of --state, or name another one: {}", "--state new.state")),
    ("add", "overwrite force replace update upsert", Message(
        "a document of the same id is added after the earlier one was deleted: {}", "quchong index delete seen/ ID")),
    ("add", "url meta metadata field fields column", Message(
        "the columns of a document are keys of its record: {}", "echo '{\"id\": \"1\", \"text\": \"...\"}' | quchong index add seen/ -")),
    ("add", "text t string content body 文本 正文", Message(
        "texts are read from records: {}", "echo '{\"text\": \"...\"}' | quchong index add seen/ -")),
    ("query", "text t string content q body 文本 正文", Message(
        "texts are read from records: {}", "echo '{\"text\": \"...\"}' | quchong index query seen/ -")),
    ("query", "top k n limit most max-results 条数", Message("all matches are given, the best first: {}", "--json")),
    ("", "o output out outfile out-file output-file save", Message(
        "the shell writes the output to a file: {}", "... > out.jsonl")),
    ("dedup", "files-per-partition partitions num-partitions n-partitions num-files partition-size", Message(
        "parts are sized automatically; to write rows in numbered files: {}", "--shard-size 500MB")),
    ("dedup", "split dataset-split config-name subset-name", Message(
        "splits are files: name those that you want, such as {}", "quchong dedup 'data/train-*.parquet' -o run/")),
    ("", "hash-func hash-function hash-fn hash-type hasher digest-type", Message(
        "the hash function is fixed, so that the same input gives the same answer: leave it out")),
    ("", "batch-size chunk-size chunksize batch", Message(
        "batches are sized automatically; to limit their memory: {}", "--memory 4G")),
    ("", "version V", Message("the version is printed by {}", "quchong --version")),
    ("", "segment segmenter jieba 分词", Message(
        "words are found without an option: leave it out")),
    ("", "color colour no-color no-colour", Message("colours are used on a terminal alone; without them: {}", "NO_COLOR=1")),
    ("dedup", "pattern glob include exclude ext extension suffix filter-files", Message(
        "files are chosen by a pattern in quotes: {}", "quchong dedup 'news/*.jsonl' -o run/")),
    ("dedup", "local cleanup clean-up streaming trust-remote-code push-to-hub use-auth-token auth-token hf-token token", Message(
        "files are read where they are, and the environment has the credentials of stores: leave it out")),
    ("doctor", "check checks only fix repair test 检查", Message("everything is checked, and what to do is printed: leave it out")),
    ("index verify", "fix repair 修复", Message("an index is repaired by {}", "quchong index repair seen/")),
    ("filter", "count c stats statistics 统计", Message("counts are printed at the end: leave it out")),
    ("tune", "step steps interval 步长", Message("values are tried in steps with {}", "--values 0.5:0.9:0.05")),
    ("", "skip-errors ignore-errors skip-bad skip-invalid on-error errors", Message(
        "a record that cannot be read is skipped and listed: leave it out")),
    ("compare", "o output out outfile html save save-as", Message(
        "a page about two texts is written by {}", "quchong inspect a.txt b.txt -o page.html")),
    ("filter", "url urls by-url link links", Message("addresses are compared like any column: {}", "--text-key url")),
    ("filter", "unique uniq dedup drop-duplicates exact 去重", Message("repeats are always removed: leave it out")),
    ("delete", "all everything older-than before 全部", Message(
        "documents are deleted by age with {}; to delete all of them, delete the folder of the index",
        "quchong index expire seen/ --older-than 30d")),
    ("eval", "threshold cutoff min-score 阈值", Message(
        "the run has its threshold; to try several values, use {}", "quchong tune news.jsonl --truth truth.jsonl")),
    ("explain", "all everything removed 全部", Message("all removals are shown by {}", "quchong report run/")),
    ("report", "html web page webpage 网页", Message("a report is a web page if no option is given: leave it out")),
    ("report", "open browser show view 打开 查看", Message("open the page that is written in a browser: {}", "run.html")),
    ("serve", "daemon background detach d 后台", Message(
        "the service runs until it is stopped; in the background: {}", "nohup quchong serve seen/ &")),
    ("serve", "timeout request-timeout keep-alive", Message(
        "how long an answer may take is fixed; how many documents may wait is set with {}", "--max-waiting")),
    ("serve", "reload watch auto-reload", Message("what is added is seen at once: leave it out")),
    ("dedup", "metric measure distance similarity-metric distance-metric",
     Message("each method has its own measure: see {}, and choose a method with {}", "quchong methods", "--method")),
)  # fmt: skip
"""Rows of a command ("" for all of them), options that people try, and how the command does it without one."""


def needless_in(command: str, option: str) -> Message | None:
    """Return how a command does without an option what people try it for; None if nothing is known.

    Args:
        command: its name, or "" for what holds of all commands; option: without its dashes.
    """
    for name, words, said in NEEDLESS:
        tried = words.split()
        if name == command and (option in tried or any(not word.isascii() and word in option for word in tried)):
            return said
    return None
