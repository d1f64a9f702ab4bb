"""Words of the site's own buttons and headings, in English and Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "home": ("Home", "首页"),
    "navigation": ("Pages", "目录"),
    "reading": ("Language and colours", "语言和配色"),
    "contents": ("On this page", "本页内容"),
    "open_navigation": ("Show or hide the list of pages", "展开或收起目录"),
    "open_contents": ("Show or hide the contents of this page", "展开或收起本页内容"),
    "theme": ("Light, dark, or as the system", "浅色、深色或跟随系统"),
    "skip": ("Skip to content", "跳到正文"),
    "top": ("Back to top", "回到顶部"),
    "next": ("Next", "下一页"),
    "previous": ("Previous", "上一页"),
    "search": ("Search", "搜索"),
    "search_label": ("Search the documentation", "搜索文档"),
    "searching": ("Searching", "正在搜索"),
    "results": ("Search results", "搜索结果"),
    "none": ("No page has all of these words.", "没有同时包含这些词的页面。"),
    "one": ("One page.", "找到 1 页。"),
    "many": ("{} pages.", "找到 {} 页。"),
    "no_script": ("The search needs JavaScript.", "搜索需要启用 JavaScript。"),
    "elsewhere": ("Search the pages in Chinese", "搜索英文页面"),
    "switch": ("中文", "English"),
    "switch_page": ("Read this page in Chinese", "阅读本页的英文版"),
    "switch_home": ("This page is in English only; to the Chinese home page", "本页没有英文版，前往英文首页"),
    "licence": ("quchong is free software under the Apache License 2.0.", "quchong 是自由软件，采用 Apache 2.0 许可证。"),
    "english_only": ("as in the paper", "英文"),
}  # fmt: skip


def words(language: str) -> dict[str, str]:
    """Return the words of a language, "en" or "zh"."""
    column = ("en", "zh").index(language)
    return {name: both[column] for name, both in WORDS.items()}
