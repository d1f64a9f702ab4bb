"""Options that people try for what a command does without one, and how it does it."""

from __future__ import annotations

from quchong.languages import Message

_CHOSEN_BEFORE = Message(
    "the settings of an index were chosen when it was made: leave out the option, or make another index: {}",
    "quchong index create seen2/",
)
NEEDLESS = (
    ("methods", "list all ls search filter family kind type category group",
     Message("without an option, everything is listed: {}", "quchong methods")),
    ("", "yes y force f assume-yes no-confirm confirm no-input non-interactive 确认", Message(
        "the command never asks for confirmation, so no option is needed: leave out the option")),
    ("dedup", "exact exact-only only-exact exact-duplicates 完全重复 精确", Message(
        "to remove only exact copies: {}", "--method exact")),
    ("", "gpu cuda device use-gpu", Message("everything is computed on CPUs; there is no option for other "
                                            "processors: leave out the option")),
    ("dedup", "limit head max-docs max-records n-samples first-n nrows", Message(
        "all records are read; to read only the first {}: {}", 1000, "head -1000 news.jsonl | quchong dedup - -o run/")),
    ("eval", "metric metrics measure measures score scores f1 指标",
     Message("all measures are printed; to print them for a program, use {}", "--json")),
    ("dedup", "output-format out-format output-type save-as export excel xlsx 输出格式 导出",
     Message("rows are written in the format of the input; to write the kept rows as Parquet, use Python: {}; to get a workbook of the "
             "removed documents: {}", "pyarrow.parquet.write_table(quchong.load('run/').kept, 'kept.parquet')",
             "quchong report run/ --xlsx")),
    ("dedup", "tmp tmpdir tmp-dir temp tempdir temp-dir scratch scratch-dir cache cache-dir workdir 临时目录 缓存", Message(
        "to choose the folder of intermediate files: {}", "--work /scratch/run")),
    ("", "tmp tmpdir tmp-dir temp tempdir temp-dir temporary scratch scratch-dir cache cache-dir 临时目录 缓存", Message(
        "the environment variable {} sets the folder of temporary files, so no option is needed: leave out the "
        "option", "TMPDIR")),
    ("verify", "threshold containment method preset similarity facts", Message(
        "removals are decided again with the settings of the run; to use other settings, deduplicate again: {}",
        "quchong dedup news.jsonl --threshold 0.9 -o run2/")),
    ("report", "pdf docx word markdown md csv", Message(
        "a report is a web page or a workbook: {}; to get a PDF, open the page in a browser and print it",
        "-o report.html, -o report.xlsx")),
    ("", "sep delimiter delim separator csv-sep 分隔符", Message("the separator of a table is detected, so no option is "
                                                                    "needed: leave out the option")),
    ("", "header no-header has-header skip-header headers 表头", Message("the first row of a table has the names of its columns, so "
                                                                           "no option is needed: leave out the option")),
    ("", "sheet sheet-name sheets worksheet 工作表", Message(
        "all sheets with the same first row as the first sheet are read; save any other sheet as a separate file")),
    ("", "v verbose debug d trace log-level", Message("there is nothing more to show, so no option is needed: "
                                                      "leave out the option")),
    ("", "ignore-case case-insensitive lowercase lower case 忽略大小写", Message(
        "letter case, character width and punctuation make no difference, so no option is needed: leave out the "
        "option")),
    ("dedup", "delete in-place inplace remove-files rm 原地 删除", Message(
        "inputs are never changed; kept and removed rows are written to separate files: {}", "-o run/")),
    ("dedup", "append add update 追加", Message(
        "a folder has only one run; to compare documents that arrive later, use {}", "--against, quchong index add")),
    ("dedup", "sort order-by sort-by 排序", Message(
        "rows are written in the order of the inputs; to choose which copy is kept, use {}", "--keep")),
    ("dedup", "where query since until after before from-date start-date", Message(
        "all records are read: select rows with another tool before the run")),
    ("dedup", "removed removed-file save-removed dups dups-file duplicates duplicates-file dup-file 重复文件", Message(
        "removed rows and their reasons are written to the run folder: {}", "run/removed.jsonl")),
    ("dedup", "pairs clusters cluster groups save-pairs save-clusters print-pairs", Message(
        "pairs and clusters are written to the run folder: {}", "run/pairs.parquet, run/clusters.parquet")),
    ("", "semantic embedding embeddings model model-name cosine bert sbert vector 语义 模型", Message(
        "methods compare wording, not meaning, so there is no such option: leave out the option; to list the "
        "methods: {}", "quchong methods")),
    ("dedup", "fuzzy near near-dup near-duplicate near-duplicates approximate 模糊 近似", Message(
        "near-duplicates are always found; to set how similar they must be, use {}", "--threshold")),
    ("", "levenshtein edit-distance", Message(
        "each method has its own measure, see {}; to choose a method, use {}", "quchong methods", "--method")),
    ("", "lang-detect detect-language language-detection chinese english zh en cn 中文 英文", Message(
        "Chinese and English texts need no option; the option for the language of messages is {}", "--lang")),
    ("dedup", "false-positive-weight false-negative-weight fp-weight fn-weight weights", Message(
        "bands and rows are computed from the threshold and from {}, so no option is needed: leave out the option", "--recall")),
    ("dedup", "follow watch tail stream streaming", Message(
        "for documents that arrive one at a time, use {}", "quchong index add seen/ -")),
    ("dedup", "timeout max-time time-limit", Message("a run has no time limit; to estimate its time, use {}", "--plan")),
    ("dedup", "remove dedup drop remove-duplicates drop-duplicates u unique uniq distinct 去重 唯一",
     Message("copies are always removed, so no option is needed: leave out the option")),
    ("dedup", "title title-key title-column headline 标题 标题列", Message(
        "to compare titles alone: {}; titles and texts together: {}", "--text-key title", "--text-key title,text")),
    ("dedup", "against-key against-text against-text-key question question-key answer answer-key item-id test-set test-sets", Message(
        "to find the questions of test sets in a corpus, use {}", "quchong decontaminate corpus.jsonl --against tests.jsonl")),
    ("decontaminate", "ngram ngrams n-gram ngram-size n", Message(
        "the rule sets the length of the n-grams; choose one of these rules: {}", "--rule ngram8, --rule ngram13")),
    ("dedup", "lines line-by-line per-line 按行 逐行", Message(
        "to read one text per line, turn each line into a record: {}", "jq -R '{text: .}' posts.txt | quchong dedup - -o run/")),
    ("filter", "near near-duplicates near-dup fuzzy threshold similarity sim jaccard method", Message(
        "this command finds only exact repeats; to find near-duplicates, use {}", "quchong dedup")),
    ("create", "ttl expire max-age older-than days", Message(
        "to delete documents by age: {}", "quchong index expire seen/ --older-than 30d")),
    ("add", "text-key id-key time-key source-key html-key threshold containment method preset keep relations facts within per key column",
     _CHOSEN_BEFORE),
    ("query", "text-key id-key time-key source-key html-key containment method preset keep relations facts within per key column",
     _CHOSEN_BEFORE),
    ("add", "dry-run n dryrun preview", Message("to search the index without adding: {}", "quchong index query seen/ news.jsonl")),
    ("query", "min-score threshold similarity score cutoff min-sim 阈值 相似度", Message(
        "the threshold is set when an index is created: {}", "quchong index create seen/ --threshold 0.8")),
    ("tune", "metric measure objective optimize optimise", Message(
        "the threshold with the highest F1 is chosen; to require a precision, use {}", "--least-precision 0.95")),
    ("inspect", "text input", Message("write texts and files without an option: {}", "quchong inspect a.txt b.txt")),
    ("filter", "reset restart fresh clear clean clear-state new-state", Message(
        "to start from the beginning, delete the file of --state, or give another file: {}", "--state new.state")),
    ("add", "overwrite force replace update upsert", Message(
        "to replace the document of an id, first delete the earlier document: {}", "quchong index delete seen/ ID")),
    ("add", "url meta metadata field fields column", Message(
        "write the columns of a document as keys of its record: {}",
        "echo '{\"id\": \"1\", \"text\": \"...\"}' | quchong index add seen/ -")),
    ("add", "text t string content body 文本 正文", Message(
        "write a text as a record: {}", "echo '{\"text\": \"...\"}' | quchong index add seen/ -")),
    ("query", "text t string content q body 文本 正文", Message(
        "write a text as a record: {}", "echo '{\"text\": \"...\"}' | quchong index query seen/ -")),
    ("query", "top k n top-k topk limit most max-results 条数", Message(
        "all matches are printed, the best first; to cut the list in a program, use {}", "--json")),
    ("", "o output out outfile out-file output-file save", Message(
        "to write the output to a file, let the shell redirect it: {}", "... > out.jsonl")),
    ("dedup", "files-per-partition partitions num-partitions n-partitions num-files partition-size", Message(
        "the size of parts is chosen automatically; to write rows to numbered files, use {}", "--shard-size 500MB")),
    ("dedup", "split dataset-split config-name subset-name", Message(
        "the splits of a data set are files: name the files of a split, such as {}", "quchong dedup 'data/train-*.parquet' -o run/")),
    ("", "hash-func hash-function hash-fn hash-type hasher digest-type", Message(
        "the hash function is fixed, so that the same input gives the same answer; it cannot be chosen: leave "
        "out the option")),
    ("", "batch-size chunk-size chunksize batch", Message(
        "the size of batches is chosen automatically; to limit their memory, use {}", "--memory 4G")),
    ("", "version V", Message("to print the version: {}", "quchong --version")),
    ("", "segment segmenter jieba 分词", Message(
        "texts are divided into words automatically, so no option is needed: leave out the option")),
    ("", "color colour no-color no-colour", Message("only a terminal shows colours; to print without colours, set {}", "NO_COLOR=1")),
    ("dedup", "pattern glob include exclude ext extension suffix filter-files", Message(
        "choose files with a pattern in quotes: {}", "quchong dedup 'news/*.jsonl' -o run/")),
    ("dedup", "local cleanup clean-up streaming trust-remote-code push-to-hub use-auth-token auth-token hf-token token", Message(
        "files are read directly from the storage service, with the credentials in environment variables, so no "
        "option is needed: leave out the option")),
    ("completion", "install setup shell show s 安装", Message(
        "the script is printed; add it to the file that your shell reads: {}", "quchong completion bash >> ~/.bashrc")),
    ("doctor", "java spark memory version versions extras browser all list", Message(
        "everything is shown, so no option is needed: leave out the option")),
    ("doctor", "check checks only fix repair test 检查", Message(
        "everything is checked, and every remedy is printed, so no option is needed: leave out the option")),
    ("index verify", "fix repair 修复", Message("to repair an index: {}", "quchong index repair seen/")),
    ("filter", "window window-size buffer max-size lru 窗口", Message(
        "a filter remembers every text; to set the expected number of texts, use {}", "--capacity 1000000")),
    ("chains", "sort order order-by sort-by 排序", Message(
        "chains are sorted by their number of documents, and the documents of a chain by time; to sort them in "
        "another way, write a table: {}", "-o chains.xlsx")),
    ("restore", "media source site publisher 媒体 来源 站点", Message(
        "select the rows to put back by id, relation or rule; to list the ids and sources of removed rows, use {}",
        "quchong report run/ --xlsx")),
    ("add", "id doc-id document-id 编号", Message(
        "write the id as a key of the record: {}", "echo '{\"id\": \"1\", \"text\": \"...\"}' | quchong index add seen/ -")),
    ("query", "id doc-id document-id 编号", Message("to show a document of the index: {}", "quchong explain seen/ ID")),
    ("filter", "count c stats statistics 统计", Message("counts are always printed at the end, so no option is "
                                                          "needed: leave out the option")),
    ("tune", "step steps interval 步长", Message("to try values in steps, use {}", "--values 0.5:0.9:0.05")),
    ("", "skip-errors ignore-errors skip-bad skip-invalid on-error errors", Message(
        "records that cannot be read are skipped and listed, so no option is needed: leave out the option")),
    ("compare", "o output out outfile html save save-as", Message(
        "to write a web page that compares two texts: {}", "quchong inspect a.txt b.txt -o page.html")),
    ("filter", "url urls by-url link links", Message("to compare addresses, name their column: {}", "--text-key url")),
    ("filter", "unique uniq dedup drop-duplicates exact 去重", Message(
        "repeated texts are always removed, so no option is needed: leave out the option"
    )),
    ("delete", "all everything older-than before 全部", Message(
        "to delete documents by age: {}; to delete all documents, delete the folder of the index",
        "quchong index expire seen/ --older-than 30d")),
    ("eval", "threshold cutoff min-score 阈值", Message(
        "the run already has a threshold; to try several values, use {}", "quchong tune news.jsonl --truth truth.jsonl")),
    ("explain", "all everything removed 全部", Message("to show all removals, use {}", "quchong report run/")),
    ("report", "html web page webpage 网页", Message("a report is a web page if no option is given, so no option "
                                                       "is needed: leave out the option")),
    ("review", "o output out outfile xlsx excel report save-as 输出", Message(
        "decisions are stored as you make them; to write a workbook of the removals: {}", "quchong report run/ --xlsx -o removed.xlsx")),
    ("resume", "o output out out-dir output-dir 输出", Message("a run is always continued in its own folder, so no option "
                                                                 "is needed: leave out the option")),
    ("restore", "o output out outfile 输出", Message("rows are put back into the kept rows of the run, so no "
                                                       "option is needed: leave out the option")),
    ("serve", "o output out outfile log log-file logfile 日志", Message(
        "requests are logged on standard error; to write them to a file: {}", "quchong serve seen/ 2> service.log")),
    ("explain", "diff differences show-diff full verbose text texts-only passages 差异 对比 全文", Message(
        "passages and differences are always shown; to compare a document with one that is not its survivor, use {}",
        "--with ID")),
    ("delete", "where filter query source source-key url domain match pattern 来源 条件", Message(
        "documents are deleted by their ids or by age: {}, {}",
        "quchong index delete seen/ --ids ids.txt", "quchong index expire seen/ --older-than 30d")),
    ("expire", "before date since until from to after 日期 早于", Message(
        "documents are deleted by age, not by date: {}", "quchong index expire seen/ --older-than 30d")),
    ("templates", "id ids doc document documents 编号", Message(
        "to list the documents of a template: {}; to see the template of a document: {}", "--template 1", "quchong explain run/ ID")),
    ("statistics", "top n limit show most", Message("all frequencies are written to the file of {}, so no option "
                                                    "is needed: leave out the option", "-o")),
    ("review", "host bind listen address addr ip 地址 主机", Message(
        "the review desk answers only this machine; to use it from another machine: {}", "ssh -L 8000:127.0.0.1:PORT USER@HOST")),
    ("create", "overwrite force replace recreate 覆盖", Message(
        "an index is never overwritten: delete its folder first, or make the index in a new folder")),
    ("dedup", "reverse invert descending ascending asc desc 倒序 反向", Message(
        "each criterion has an opposite: {}", "--keep shortest, --keep latest, --keep last, --keep 'column:score asc'")),
    ("dedup", "print-duplicates show-duplicates list-duplicates show-removed list-removed print-removed show-copies 显示重复 列出重复",
     Message("removed rows and their reasons are written to the run folder: {}; to look at them: {}", "run/removed.jsonl",
             "quchong report run/")),
    ("restore", "ids ids-file file from-file id-file", Message(
        "ids are given one by one; to read ids from a file: {}", "quchong restore run/ $(cat ids.txt)")),
    ("templates", "top n max 条数", Message("to list more or fewer templates: {}", "--limit 20")),
    ("templates", "export save csv xlsx frames 导出 保存", Message(
        "to write the frames to a file: {}", "--boilerplate frames.txt")),
    ("restore", "dry-run n dryrun preview", Message(
        "rows are put back immediately; to see of which document a row is a copy, use {}", "quchong explain run/ ID")),
    ("add", "skip-existing ignore-existing skip-duplicates skip-known no-duplicates", Message(
        "documents whose id is in the index are skipped, so no option is needed: leave out the option")),
    ("explain", "format output-format html xlsx page", Message(
        "the command prints text, or JSON with {}; to write a page of the run, use {}", "--json", "quchong report run/")),
    ("lab run", "data corpus input inputs dataset file path data-dir articles 数据 语料", Message(
        "an experiment makes its own texts; to make pages from your own articles, use {}", "--texts news.jsonl")),
    ("serve", "token tokens auth auth-token api-key apikey password secret user users 令牌 密码", Message(
        "store callers and their tokens in a file: {}; then use {}", "quchong access add callers.jsonl NAME", "--access callers.jsonl")),
    ("serve", "daemon background detach d 后台", Message(
        "the service runs until you stop it; to run it in the background: {}", "nohup quchong serve seen/ &")),
    ("serve", "timeout request-timeout keep-alive", Message(
        "the time limit of an answer is fixed; to set how many documents may wait, use {}", "--max-waiting")),
    ("serve", "reload watch auto-reload", Message("added documents can be found immediately, so no option is "
                                                  "needed: leave out the option")),
    ("dedup", "metric measure distance similarity-metric distance-metric",
     Message("each method has its own measure, see {}; to choose a method, use {}", "quchong methods", "--method")),
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
