"""Other names of attributes: those that results of other libraries have, which lead to ours."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from quchong.languages import Message, join_names
from quchong.languages.habits import entry_with

FRAME_WORDS = frozenset(
    "head tail sample shape size columns dtypes index iloc loc iat at values ndim empty describe info query filter where "
    "select sort sort_values sort_by groupby group_by agg apply map merge join drop dropna drop_duplicates drop_nulls "
    "fillna isin rename reset_index set_index assign astype cast value_counts unique nunique iterrows itertuples iter_rows "
    "rows to_csv write_csv to_json write_json write_ndjson to_parquet write_parquet to_excel write_excel to_dict to_dicts "
    "to_list to_pylist tolist to_records to_frame to_df to_numpy to_arrow to_pandas to_polars to_dataframe as_dataframe df "
    "to_jsonl to_ndjson to_feather to_hdf to_sql to_markdown sink_csv sink_parquet sink_ndjson "
    "frame dataframe pandas polars lazy collect schema num_rows height width slice take limit show display plot_bar hist "
    "corr concat append copy items keys".split()
)
"""Attributes of the tables of pandas, Polars, Arrow and Datasets, which people try on what has or is a table."""


_LISTS = frozenset(
    "to_list to_pylist tolist to_dict to_dicts to_records iterrows itertuples iter_rows rows items".split()
)
_FRAMES = frozenset("to_pandas to_df to_dataframe as_dataframe df frame dataframe pandas to_frame".split())


def table_call(table: str, name: str, *, arrow: bool, rows: object = None) -> str:
    """Return the expression by which a table has what an attribute of a data frame gives.

    Args:
        table: the expression of the table; name: one of `FRAME_WORDS`; arrow: True for an Arrow table, False for a data frame.
        rows: a table of the same kind, or a dict or list; None to take that of pandas.

    >>> table_call("result.kept", "head", arrow=True), table_call("result.kept", "to_polars", arrow=True)
    ('result.kept.to_pandas().head()', 'polars.from_arrow(result.kept)')
    >>> table_call("result.kept", "head", arrow=False), table_call("result.kept", "df", arrow=False)
    ('result.kept.head()', 'result.kept')
    >>> table_call("result.kept", "num_rows", arrow=False), table_call("result.kept", "head", arrow=False, rows={})
    ('len(result.kept)', 'result.kept')
    """
    if name in ("num_rows", "height"):
        return f"len({table})"
    if not arrow:
        lacking = rows is not None and not hasattr(rows, name)  # as iloc of Polars, or head of a dict
        whole = lacking or name in _FRAMES | _LISTS or name.startswith("to_")
        return table if whole else f"{table}.{_written(name)}"
    if name in ("to_polars", "polars", "lazy"):
        return f"polars.from_arrow({table})"
    if name in _LISTS:
        return f"{table}.to_pylist()"
    if name in ("shape", "schema"):
        return f"{table}.{name}"
    return f"{table}.to_pandas()" if name in _FRAMES else f"{table}.to_pandas().{_written(name)}"


def _written(name: str) -> str:
    """Return an attribute of a data frame as it is written: a method with brackets."""
    plain = name in "shape size columns dtypes index values ndim empty height width".split()
    return name if plain else f"{name}[...]" if name in ("iloc", "loc", "iat", "at") else f"{name}()"


_WRITERS = (
    ("csv", "'kept.csv'"), ("parquet", "'kept.parquet'"), ("excel", "'kept.xlsx'"), ("feather", "'kept.feather'"),
    ("html", "'kept.html'"), ("markdown", "'kept.md'"), ("sql", "'kept', connection"), ("hdf", "'kept.h5', key='kept'"),
    ("ndjson", "'kept.jsonl'"), ("jsonl", "'kept.jsonl'"), ("json", "'kept.jsonl'"),
)  # fmt: skip
"""Formats in the names of methods by which tables are written, and the values that such a method takes."""


def writing_call(table: str, name: str, rows: object) -> str | None:
    """Return the expression that writes a table to a file in the format that a method of a data frame names; None for other names.

    Args:
        table: the expression of the table; name: such as "to_csv" or "write_csv".
        rows: a table of the same kind, which may have no rows: of Arrow, a data frame or a list.

    >>> writing_call("result.kept", "write_csv", []), writing_call("result.kept", "to_list", [])
    ("pandas.DataFrame(result.kept).to_csv('kept.csv')", None)
    """
    verb, _, kind = name.partition("_")
    found = next(((one, value) for one, value in _WRITERS if one == kind), None)
    if verb not in ("to", "write", "sink") or found is None:
        return None
    kind, value = found
    if kind in ("ndjson", "jsonl", "json"):
        if hasattr(rows, "write_ndjson"):
            return f"{table}.write_ndjson({value})"
        kind, value = "json", f"{value}, orient='records', lines=True, force_ascii=False"
    for method in (f"to_{kind}", f"write_{kind}"):
        if hasattr(rows, method):
            return f"{table}.{method}({value})"
    frame = f"{table}.to_pandas()" if hasattr(rows, "to_pandas") else f"pandas.DataFrame({table})"
    return f"{frame}.to_{kind}({value})"


_LIKE = 0.65
"""Likeness of two names from which on one may be meant by the other."""


_CHINESE = {
    "kept": "保留 留下 保留的", "removed": "删除 去掉 删掉 移除 重复", "ledger": "台账 账本 删除原因 原因",
    "pairs": "配对 对", "clusters": "聚类 簇 组 分组", "chains": "转载链 转载 链", "report": "报告", "explain": "解释 为什么",
    "relation": "关系", "jaccard": "相似度 得分 分数", "differences": "差异 不同 区别", "passages": "片段 段落",
    "counts": "统计 数量 计数", "stats": "统计", "summary": "摘要 汇总 总结", "text": "正文 文本", "id": "编号",
    "matches": "匹配 命中", "save": "保存 导出", "add": "添加 加入", "query": "查询 查", "delete": "删除", "table": "表 表格",
    "value": "推荐值 阈值", "precision": "精确率 准确率", "recall": "召回率", "seconds": "时间 用时", "memory": "内存",
}  # fmt: skip
"""Chinese words that people try for attributes."""


_EVERYWHERE = {
    "jaccard": "score similarity sim ratio distance", "differences": "diff diffs changes delta", "passages": "shared common matches",
    "other_text": "survivor_text right_text text2", "text": "left_text content body", "relation": "label kind type is_duplicate same",
    "as_dict": "to_dict dict json to_json asdict", "to_dict": "as_dict dict json to_json asdict", "save": "write dump export to_file",
    "sound": "ok passed valid is_ok is_valid success", "mismatches": "wrong errors failed failures bad",
    "documents": "rows items records ids", "table": "rows df frame data", "removed": "duplicates dups", "kept": "unique survivors",
}  # fmt: skip
"""Words that people try for attributes of any class."""


class SuggestsNames:
    """Base of a class whose error about an attribute that it does not have says which was probably meant.

    Attributes:
        _CALLS: expressions that do what a name is tried for, where no attribute does; set as _OTHER_NAMES is.
        _LOOPED: expression of what a loop over an object, or a number in brackets, is meant to take; "" if nothing is.
        _OTHER_NAMES: words that people try, by the attribute that is meant. Classes set it without an annotation, which would make it a
            field of a dataclass, and encoders write out fields.
    """

    __slots__ = ()
    _OTHER_NAMES: ClassVar[Mapping[str, str]] = {}
    _CALLS: ClassVar[Mapping[str, str]] = {}
    _LOOPED: ClassVar[str] = ""

    if not TYPE_CHECKING:  # a type checker would take any name

        def __getattr__(self, name: str) -> Any:
            """Raise the AttributeError about a name that the object does not have, with the one that was probably meant."""
            kind = type(self)
            if hasattr(kind, name):  # a property that failed
                return object.__getattribute__(self, name)
            raise AttributeError(_refusal(kind, name, self._advice_about(name)).translation(), name=name, obj=self)

        def _advice_about(self, name: str) -> Message | None:
            """Return what to do about an attribute of a table, for an object that has tables; None for others."""
            return None

        def _looped(self) -> Message | str:
            """Return the expressions of what a loop over the object is meant to take; "" if nothing is."""
            return type(self)._LOOPED

        def __getitem__(self, key: Any) -> Any:
            """Raise the TypeError about an index or a key: what is meant is an attribute."""
            near = name_meant(type(self), key) if isinstance(key, str) else None
            name = type(self).__name__
            if near is None and (looped := self._looped()):
                said = Message("{!r} object is not subscriptable and cannot be iterated over; use {}", name, looped)
            elif near is None:
                names = join_names(_names_of(type(self)))
                said = Message("{!r} object is not subscriptable; use its attributes: {}", name, names)
            else:
                said = Message("{!r} object is not subscriptable; use its attributes{}", name, near)
            raise TypeError(said.translation())


def member_advice(kind: type[SuggestsNames], name: str, several: str) -> Message | None:
    """Return how an attribute of a class is taken from a sequence of its objects; None if the class has no such attribute.

    Args:
        kind: class of the objects; name: as it was asked for; several: name of the sequence.
    """
    known = _names_of(kind)
    found = name if name in known else entry_with(kind._OTHER_NAMES, name)
    if found is None:
        return None
    written = f"{found}()" if callable(getattr(kind, found, None)) else found
    return Message(
        "this object contains several items; to read the attribute of one or of all, write {}",
        f"[one.{written} for one in {several}], {several}[0].{written}",
    )


def name_meant(kind: type[SuggestsNames], name: str) -> Message | None:
    """Return `; did you mean ...?` with the attribute of a class that a wrong name probably means; None if no attribute is similar."""
    known = _names_of(kind)
    found = name if name in known else next((one for one in known if one.lower() == name.lower()), None)
    found = found or entry_with(kind._OTHER_NAMES, name)
    if not name.isascii():
        found = found or entry_with({one: words for one, words in _CHINESE.items() if one in known}, name)
    found = found or entry_with({one: words for one, words in _EVERYWHERE.items() if one in known}, name)
    found = found or next(iter(difflib.get_close_matches(name, known, n=1, cutoff=_LIKE)), None)
    if found is None:
        return None
    if not callable(getattr(kind, found, None)):
        return Message("; did you mean {}?", found)
    # Another library's method of that name may take other values, so that an example says more than the name.
    examples: Mapping[str, str] = getattr(kind, "_EXAMPLES", {})
    return Message("; did you mean {}?", examples.get(found, f"{found}()"))


def _refusal(kind: type[SuggestsNames], name: str, advice: Message | None = None) -> Message:
    """Return the message about an attribute that a class does not have, with advice that is known for it."""
    said = Message("{!r} object has no attribute {!r}", kind.__name__, name)
    if name.startswith("_"):
        return said
    if name in FRAME_WORDS and "table" in _names_of(kind) and entry_with(kind._OTHER_NAMES, name) is None:
        return Message("{}; its table is {}, so write {}", said, "table", table_call("table", name, arrow=True))
    if advice is not None and entry_with(kind._OTHER_NAMES, name) is None:
        return Message("{}; {}", said, advice)
    if (call := kind._CALLS.get(name)) is not None:
        return Message("{}; write {}", said, call)
    near, public = name_meant(kind, name), _public_name(kind)
    if near is None:
        return Message("{}; available are {}", said, join_names(_names_of(kind)))
    return (
        Message("{}{} For all names, see {}", said, near, f"help(qc.{public})")
        if public
        else Message("{}{}", said, near)
    )


def _public_name(kind: type) -> str | None:
    """Return the name by which the package has a class, or the one that it is made of; None if it has neither."""
    shown = getattr(sys.modules.get("quchong"), "__all__", ())
    return next((one.__name__ for one in kind.__mro__ if one.__name__ in shown), None)


def _names_of(kind: type[SuggestsNames]) -> list[str]:
    """Return the public attributes of a class and the fields of its objects."""
    own = [one for one in dir(kind) if not one.startswith("_")]
    return sorted({*own, *(one for one in getattr(kind, "__dataclass_fields__", {}) if not one.startswith("_"))})
