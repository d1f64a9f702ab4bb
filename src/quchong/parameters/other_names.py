"""Other names of parameters: those of the command line, which calls in Python accept, and those of other tools, which lead to ours."""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from quchong.errors import Call, Param, UsageError
from quchong.languages import Message, join_names
from quchong.patterns import lazy_pattern

OPTION_NAMES: Mapping[str, str] = {
    "text_key": "text", "text_field": "text", "text_column": "text", "column": "text",
    "id_key": "id", "id_field": "id", "id_column": "id",
    "time_key": "time", "time_field": "time", "time_column": "time",
    "source_key": "source", "source_field": "source", "source_column": "source",
    "html_key": "html", "title_key": "title", "link_key": "link",
    "output": "out", "work_dir": "work", "num_proc": "workers", "threads": "workers",
    "relation": "relations", "rule": "rules", "all": "everything", "tokenizer": "tokens",
    "question_key": "question", "answer_key": "answer", "choices_key": "choices", "item_id_key": "item_id",
}  # fmt: skip
"""Names of options of the command line, with _ for hyphens, and the parameter in Python that is the same."""

_OPTION_VALUES: Mapping[tuple[str, object], tuple[str, bool]] = {
    ("mode", "annotate"): ("annotate", True), ("mode", "remove"): ("annotate", False),
}  # fmt: skip
"""Options of the command line with a value, and the parameter in Python that is True or False in place of it."""

TOOL_WORDS: Mapping[str, str] = {
    # MinHash: datasketch, text-dedup, datatrove, NeMo
    "b": "bands", "num_bands": "bands", "n_bands": "bands", "buckets": "bands", "num_buckets": "bands",
    "num_bucket": "bands", "num_part": "bands",
    "r": "rows", "num_rows": "rows", "rows_per_band": "rows", "hashes_per_bucket": "rows", "minhashes_per_band": "rows",
    "num_perms": "num_perm", "n_perm": "num_perm", "num_hashes": "num_perm", "n_hashes": "num_perm", "permutations": "num_perm",
    "num_permutations": "num_perm", "minhash_num_hashes": "num_perm", "minhash_length": "num_perm",
    "signature_length": "num_perm", "signature_size": "num_perm", "sketch_size": "num_perm", "num_minhashes": "num_perm",
    "seed_permutation": "seed", "permutation_seed": "seed", "hash_seed": "seed", "minhash_seed": "seed",
    "min_tokens": "min_chars", "min_substring_len": "min_chars", "min_length_substring": "min_chars",
    "ngram": "ngram_size", "ngrams": "ngram_size", "n_gram": "ngram_size", "n_grams": "ngram_size", "ngram_len": "ngram_size",
    "shingle_size": "ngram_size", "shingle": "ngram_size", "k_shingle": "ngram_size", "char_ngrams": "ngram_size",
    "jaccard_threshold": "threshold", "jaccard": "threshold", "similarity_threshold": "threshold", "sim_threshold": "threshold",
    "min_similarity": "threshold", "similarity": "threshold", "cutoff": "threshold", "minhash_threshold": "threshold",
    "random_state": "seed", "random_seed": "seed", "minhash_permutation_seed": "seed",
    "containment_threshold": "containment", "fingerprint_size": "bits", "hash_bits": "bits", "hash_size": "bits", "hashbits": "bits",
    "f": "bits", "fingerprint_bits": "bits",
    "fp_rate": "error_rate", "initial_capacity": "capacity", "expected_elements": "capacity",
    # what is read, written and used
    "path": "data", "paths": "data", "input": "data", "inputs": "data", "input_file": "data", "input_folder": "data", "files": "data",
    "dataset": "data", "docs": "data", "documents": "data", "records": "data", "df": "data",
    "output_dir": "out", "output_path": "out", "output_folder": "out", "save_path": "out", "output_file": "out",
    "text_columns": "text", "on": "text", "columns": "text", "cols": "text",
    "text_cols": "text", "content_column": "text", "content_key": "text", "input_column": "text",
    "doc_column": "text", "message_column": "text", "time_col": "time", "date_column": "time", "timestamp_column": "time",
    "source_col": "source", "site_column": "source", "domain_column": "source", "html_column": "html", "key_column": "id",
    "index": "id",
    "key": "text", "field": "text", "text_col": "text", "content": "text", "content_field": "text", "text_fields": "text", "subset": "text",
    "index_column": "id", "id_col": "id", "idx": "id", "date": "time", "timestamp": "time", "date_key": "time", "datetime": "time",
    "publisher": "source", "media": "source", "url_field": "html",
    "n_jobs": "workers", "num_workers": "workers", "n_workers": "workers", "num_threads": "workers", "jobs": "workers",
    "tasks": "workers", "processes": "workers", "nproc": "workers", "cpus": "workers",
    "memory_limit": "memory", "max_memory": "memory", "batch_size": "memory", "chunksize": "memory",
    "show_progress": "progress", "progress_bar": "progress", "tqdm": "progress", "verbose": "progress",
    "group_by": "per", "by_column": "per", "time_window": "within", "window_days": "within", "reference": "against",
    "top_n": "keep_per_cluster", "top_k": "keep_per_cluster", "keep_n": "keep_per_cluster", "keep_top": "keep_per_cluster",
    "max_per_cluster": "keep_per_cluster", "max_copies": "keep_per_cluster", "max_duplicates": "keep_per_cluster",
    # Chinese words of parameters
    "正文": "text", "正文列": "text", "文本": "text", "文本列": "text", "内容": "text", "阈值": "threshold", "相似度": "threshold",
    "相似": "threshold", "时间": "time", "日期": "time", "发布时间": "time", "来源": "source", "媒体": "source", "编号": "id",
    "标识": "id", "保留": "keep", "方法": "method", "算法": "method", "输出": "out", "结果": "out", "保存": "out", "覆盖": "overwrite",
    "线程": "workers", "进程": "workers", "内存": "memory", "编码": "encoding", "格式": "format", "最少": "min_chars",
    "最短": "min_chars", "最小长度": "min_chars", "最少字数": "min_chars", "对照": "against", "测试集": "against", "题库": "against",
    "分组": "per", "期限": "within", "时间窗": "within", "关系": "relations", "进度": "progress",
    "whitelist": "protect", "cache_dir": "work", "temp_dir": "work", "tmp_dir": "work", "force": "overwrite",
}  # fmt: skip
"""Words of other tools (datasketch, text-dedup, datatrove, NeMo, pandas), and our parameter that does the same or most like it."""

_BITS_MEANT = Message(
    "{} bits with at most {} different ones correspond to {} of the method {}",
    64,
    3,
    Param("threshold", 0.953),
    "simhash",
)
_ON_SPARK = Message("on a cluster, use {}, or {}", "import quchong.spark; quchong.spark.dedup(frame)",
                    "quchong dedup DATA --engine spark -o run/")  # fmt: skip
_DETECTED = Message(
    "the form of a table is detected, and its first row has the names of its columns, so no option is needed: "
    "leave out the option"
)
_SELECT = Message("all records are read: give fewer records, such as a part of a list or of a table")
_ADVICE: dict[str, Message] = {
    "bit_diff": _BITS_MEANT,
    "hamming_distance": _BITS_MEANT,
    "length_threshold": Message("to find repeated passages, use {} with the parameter {}", "passages", "min_chars"),
    "min_len": Message("short texts are never left out; the method {} is made for short texts", "short-text"),
    "min_length": Message("short texts are never left out; the method {} is made for short texts", "short-text"),
    "capacity": Message("quchong needs no capacity in advance, so no option is needed: leave out the option"),
    "error_rate": Message("for a Bloom filter, use {}", "quchong filter --filter bloom --error-rate"),
    "k": Message("use {} to find repeated passages", Call("qc.passages(min_chars=...)", "quchong passages --min-chars")),
    "params": Message("use two parameters of the method {}: {} and {}", "minhash", Param("bands"), Param("rows")),
    "language": Message("QUCHONG_LANG sets the language of messages; or use {} in Python, {} on the command line",
                        "qc.set_language('zh')", "--lang"),
    "lang": Message("QUCHONG_LANG sets the language of messages; or use {} in Python, {} on the command line",
                    "qc.set_language('zh')", "--lang"),
    "dry_run": Message("nothing is written unless an output folder is given"),
    "plan": Message("to estimate the cost, use {} in Python, or {} on the command line", "qc.estimate", "--plan"),
    "false_positive_check": Message("every pair is always verified with its texts, so no option is needed: leave "
                                    "out the option"),
    "engine": _ON_SPARK, "backend": _ON_SPARK, "executor": _ON_SPARK, "spark": _ON_SPARK, "client": _ON_SPARK,
    "sep": _DETECTED, "delimiter": _DETECTED, "delim": _DETECTED, "header": _DETECTED, "separator": _DETECTED,
    "shuffle": Message("the order of the data does not affect which copies are found, so no option is needed: "
                       "leave out the option"),
    "limit": _SELECT, "nrows": _SELECT, "head": _SELECT, "max_docs": _SELECT, "sample": _SELECT, "n_samples": _SELECT,
    "inplace": Message("your data is never changed: use the returned value"),
    "keep_first": Message("use {} instead", Param("keep", "first")),
    "log_file": Message("in Python, give the logger {} a handler", "quchong"),
}  # fmt: skip
_ADVICE |= dict.fromkeys(
    ("sheet", "sheet_name", "sheets", "worksheet", "工作表"),
    Message("all sheets with the same first row as the first sheet are read; for another sheet, use {}",
            "qc.dedup(pandas.read_excel('news.xlsx', sheet_name='...'))"),
)  # fmt: skip
_ADVICE |= dict.fromkeys(("max_hamming", "hamming", "hamming_threshold", "max_distance"), _ADVICE["hamming_distance"])
"""Advice about words that no single parameter stands for."""
_MEASURE = Message("each method has its own measure, see {}; to choose a method, use {}",
                   Call("help(qc.methods)", "quchong methods"), Param("method", "minhash"))  # fmt: skip
_ADVICE |= dict.fromkeys(
    (
        "metric",
        "measure",
        "distance",
        "similarity_metric",
        "distance_metric",
        "similarity_function",
        "sim_func",
        "metric_type",
    ),
    _MEASURE,
)
_ADVICE["hash_func"] = _ADVICE["hash_function"] = _ADVICE["hash_fn"] = _ADVICE["hash_type"] = Message(
    "the hash function is fixed, so that the same input gives the same answer; it cannot be chosen: leave out "
    "the option"
)
MEASURES: Mapping[str, str] = {
    "jaccard": "minhash", "jac": "minhash", "resemblance": "minhash", "minhash": "minhash",
    "cosine": "cluster", "cos": "cluster", "tfidf": "cluster", "tf-idf": "cluster", "tf_idf": "cluster",
    "hamming": "simhash", "simhash": "simhash", "levenshtein": "lcs", "edit": "lcs", "lcs": "lcs", "overlap": "shingling",
    "containment": "hybrid", "余弦": "cluster", "海明": "simhash", "汉明": "simhash", "编辑距离": "lcs",
}  # fmt: skip
"""Measures of similarity by the words of other tools, and the method that decides by it, or by the one most like it."""


def measure_advice(value: object, choice: Callable[[str, str], object] = Param) -> Message | None:
    """Return which method decides by a measure that was given as a value; None for other values.

    Args:
        value: as it was given; choice: writes a parameter with its value, as the caller types it.

    >>> print(measure_advice("cosine"))
    each method has its own measure; to use cosine, choose method='cluster'
    """
    method = MEASURES.get(value.strip().lower().removesuffix("_similarity")) if isinstance(value, str) else None
    if method is None:
        return None
    if str(value).strip().lower() == method:
        return Message("to choose a method, use {}", choice("method", method))
    return Message("each method has its own measure; to use {}, choose {}", value, choice("method", method))


_OWNERS: Mapping[str, str] = {
    "num_proc": "text-dedup", "column": "text-dedup", "text_field": "NeMo Curator", "id_field": "NeMo Curator",
}  # fmt: skip
"""Tools whose word a name of OPTION_NAMES is, which the command line takes too and calls otherwise itself."""
_OURS = frozenset(
    "text_key id_key time_key source_key html_key title_key link_key output relation rule all mode question_key answer_key "
    "choices_key item_id_key".split()
)
"""Names of OPTION_NAMES that are those of the command line itself."""
_warned = set[tuple[str, str]]()


def advice_about(word: str) -> Message | None:
    """Return advice about a parameter name that other tools and quchong use in different senses; None for other names."""
    return _ADVICE.get(word)


def hint_of(word: str, known: Iterable[str] = (), owners: Iterable[str] = ()) -> Message | None:
    """Return the quchong name of a parameter of another tool or of the command line; None for an unknown name.

    Args:
        word: the name given, with _ for hyphens.
        known: parameters that the call takes.
        owners: names of methods that have the parameter meant, if the call does not take it.

    >>> print(hint_of("b", ["bands"]))
    'b' is called bands in quchong
    """
    if (advice := _ADVICE.get(word) or _advice_by_part(word)) is not None:
        return Message("there is no {!r}: {}", word, advice)
    target = TOOL_WORDS.get(word) or OPTION_NAMES.get(word)
    if target is None:
        return None
    methods = list(owners)
    if target in set(known) or not methods:
        return RENAMED.holding(word, Param(target))
    first = "minhash" if "minhash" in methods else methods[0]
    return RENAMED_OF_METHOD.holding(word, Param(target), join_names(methods), Param("method", first))


RENAMED = Message("{!r} is called {} in quchong")
"""Hint at the name of a parameter in quchong; its values are the word that was given, and the parameter."""
RENAMED_OF_METHOD = Message("{!r} is called {} in quchong and belongs to {}. Choose a method that has it: {}")
"""Hint at a parameter that other methods have; its values are the word, the parameter, the methods, and the option that chooses one."""


def _advice_by_part(word: str) -> Message | None:
    """Return the advice about a word that is made of one with advice, such as `max_hamming_distance`; None for others."""
    parts = word.split("_")
    return next((_ADVICE[one] for one in ("hamming", "metric") if len(parts) > 1 and one in parts), None)


def python_names(given: Mapping[str, Any], own: Iterable[str]) -> dict[str, Any]:
    """Return keyword arguments with command line names replaced by Python names, with one warning for each.

    Args:
        given: keywords of the call.
        own: parameters that the function takes; only a name that is none of them is replaced, by one of them.

    Raises:
        UsageError: a parameter is given under both of its names.
    """
    taken = set(own)
    found: dict[str, Any] = {}
    for name, value in given.items():
        target = OPTION_NAMES.get(name, name)
        if isinstance(value, str) and (name, value) in _OPTION_VALUES:
            target, value = _OPTION_VALUES[name, value]
        if name in taken or target not in taken:
            found.setdefault(name, given[name])
            continue
        if target in given or target in found:
            raise UsageError("{} and {} are the same parameter: give only one", Param(name), Param(target))
        _warn(name, target)
        found[target] = value
    return found


_OPTION = lazy_pattern(
    r"--(?P<flag>confirm|annotate|overwrite|complete)(?![\w-])"
    r"|--(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?: (?P<value>\{\}|[a-z]+(?:,[a-z]+){2,}|any|remove|exact|digest|payload|keep|whole|raw|"
    r"strict|loose|[a-z]+:\S+(?<![:：，,;；])|"
    r"(?:earliest|latest|longest|shortest|first|last)(?:,[a-z]+)*)(?![\w-]))?"
)


def in_python(text: str) -> str:
    """Return a sentence with the options of the command line in it named as Python has them.

    >>> in_python("name another column with --time-key; --facts any keeps them")
    "name another column with time=; facts='any' keeps them"
    >>> in_python("--facts {} keeps one of each")  # a template, whose value is filled in later
    "facts='{}' keeps one of each"
    """

    def python_name(found: re.Match[str]) -> str:
        if flag := found["flag"]:
            return f"{flag}=True"
        name = found["name"].replace("-", "_")
        name = OPTION_NAMES.get(name, name)
        return f"{name}={found['value']!r}" if found["value"] else f"{name}="

    return _OPTION.sub(python_name, text) if "--" in text else text


def names_of(function: Callable[..., Any], also: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of the parameters of a function, without those that only collect others, and the names `also`."""
    found = inspect.signature(function).parameters.values()
    return frozenset([one.name for one in found if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]).union(also)


def _warn(name: str, target: str) -> None:
    """Warn once in a process that the Python name of a parameter is another one."""
    if (name, target) not in _warned:
        _warned.add((name, target))
        if name in _OURS:
            said = Message("{} is the name on the command line; in Python this parameter is {}", name, target)
        else:
            said = name_elsewhere(name, target)
        warnings.warn(said.translation(), UserWarning, stacklevel=_frames_of_ours())


def name_elsewhere(name: str, ours: str) -> Message:
    """Return the note that a parameter was given by its name in another tool, with our name of it.

    >>> print(name_elsewhere("--column", "--text-key"))
    --column is the name in text-dedup; in quchong this parameter is --text-key
    """
    owner = _OWNERS.get(name.lstrip("-").replace("-", "_")) or Message("other tools")
    return Message("{} is the name in {}; in quchong this parameter is {}", name, owner, ours)


def is_of_other_tool(name: str) -> bool:
    """Return True for a name that the command line takes as well, although only another tool calls a parameter so."""
    return name.lstrip("-").replace("-", "_") in _OWNERS


def _frames_of_ours() -> int:
    """Return how many frames there are up to the one that called this package, for a warning that names the caller's line."""
    frame, count = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "quchong":
        frame, count = frame.f_back, count + 1
    return count
