"""Usual names of columns of text, id, time, source, url and title, used where the data has no column of our own name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

USUAL: Mapping[str, tuple[str, ...]] = {
    "text": (
        "正文", "内容", "全文", "文本", "文章内容", "文章正文", "新闻内容", "新闻正文", "微博正文", "微博内容", "博文",
        "content", "body", "article", "article_text", "article_body", "full_text", "fulltext", "maintext", "main_text",
        "raw_content",
    ),
    "id": (
        "编号", "标识", "文章编号", "稿件编号", "新闻编号", "文章id", "新闻id", "微博id", "doc_id", "docid", "document_id",
        "article_id", "news_id", "record_id", "_id", "uuid", "guid",
    ),
    "time": (
        "时间", "发布时间", "发表时间", "发布日期", "发表日期", "发帖时间", "日期", "date", "datetime", "published",
        "published_at", "publish_time", "publish_date", "publishtime", "publishdate", "pub_time", "pub_date", "pubtime",
        "pubdate", "publication_date", "date_published", "date_publish", "posted_at", "created_at", "timestamp",
    ),
    "source": (
        "来源", "媒体", "媒体名称", "来源媒体", "发布媒体", "网站", "站点", "来源网站", "报纸", "site", "publisher", "media",
        "outlet", "source_name", "site_name", "sitename",
    ),
    "url": ("链接", "网址", "原文链接", "文章链接", "原文网址", "link", "href", "page_url", "source_url", "permalink"),
    "title": ("headline", "subject", "name", "标题", "题目", "新闻标题", "文章标题", "article_title"),
}  # fmt: skip
"""Usual names by the name that we give the column, folded as `_folded` does; for a title in order of preference."""


def usual_columns(name: str, columns: Iterable[str]) -> list[str]:
    """Return the columns that by their names may be the one called `name`, in the order of `columns`; several if it is ambiguous.

    The column of that very name is meant if there is one, else that name in other letters, such as ID for id.

    Args:
        name: a key of `USUAL`; for another name only the column of that name is found.
        columns: names of the columns of the data.
    """
    given = [column for column in dict.fromkeys(columns) if isinstance(column, str)]
    if name in given:
        return [name]
    if same := [column for column in given if _folded(column) == name]:
        return same
    known = USUAL.get(name, ())
    return [column for column in given if _folded(column) in known]


def title_columns(columns: Iterable[str]) -> list[str]:
    """Return the columns that may hold a document's title, the most likely first: `title`, then the usual names in their order."""
    given = list(dict.fromkeys(columns))
    order = {name: place for place, name in enumerate(("title", *USUAL["title"]))}
    return sorted((column for column in given if _folded(column) in order), key=lambda column: order[_folded(column)])


def _folded(column: str) -> str:
    """Return a column name for comparison: lower case, stripped, with _ for blanks and hyphens."""
    return column.strip().casefold().replace(" ", "_").replace("-", "_")
