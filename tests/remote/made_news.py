"""Rows of news for tests of remote files."""

import hashlib
import json


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def news(count, first=0):
    """Rows of which every second is an exact copy of the one before."""
    words = "市委书记在会上指出要把改革发展稳定各项工作抓紧抓好确保完成全年目标任务"
    return [
        {
            "id": f"n{first + i}",
            "text": f"{words[(i // 2) % 20 :]}{hashlib.md5(str((first + i) // 2).encode()).hexdigest()}，记者从现场发回报道。"
            * 3,
        }
        for i in range(count)
    ]
