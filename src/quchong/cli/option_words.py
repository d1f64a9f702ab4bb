"""Words that people try for options: those of other tools and of everyday speech, in English and Chinese."""

from __future__ import annotations

OPTIONS = {
    "--export": "导出 labels save-labels export-labels csv jsonl",
    "--part": "shard partition part-of 分片",
    "--keep": "保留 keep-by prefer strategy",
    "-o": "导出 export out out-file outfile output-file file 输出 结果 保存 输出目录 输出到 out-dir outdir"
    " output-folder out-folder dest destination target target-dir save save-to",
    "--method": "方法 算法 algorithm algo",
    "--threshold": "阈值 相似度",
    "--text-key": "key 正文 文本 内容 正文列 on by subset fields field columns column cols dedupe-on dedup-on dedup-by dedup-key"
    " dedupe-key compare-on compare-by",
    "--time-key": "时间 日期 发布时间",
    "--source-key": "来源 媒体",
    "--encoding": "编码 charset",
    "--port": "端口 p",
    "--cert": "ssl tls https certificate cert-file ssl-cert ssl-certfile 证书",
    "--workers": "j p 线程 进程 cores cpu parallel parallelism concurrency",
    "--memory": "内存 mem ram max-ram",
    "--against": "对比 比对 比较 对照 base compare-to against-file test tests test-set test-sets testset eval-set benchmark benchmarks"
    " ref 测试集 题库",
    "--help": "帮助 ? usage",
    "--json": "as-json stats count c 统计",
    "--compress": "gzip gz zip z compression 压缩",
    "--progress": "v verbose debug 进度",
    "--log-file": "log-level log logging loglevel 日志",
    "--same-site": "site domain 站点",
    "--id-key": "编号 id列 标识 url-key",
    "--quiet": "silent s",
    "--dry-run": "n dryrun preview simulate 试运行",
    "--lang": "语言 l locale",
    "--overwrite": "覆盖 y yes replace",
    "--engine": "executor backend runner",
    "--host": "地址 主机 listen bind addr address interface ip",
    "--social": "去掉 忽略 ignore strip-social",
    "--facts": "事实 fact",
    "--format": "格式 file-type filetype input-format",
    "--min-share": "threshold similarity overlap ratio share coverage min-overlap",
    "--store": "keep-texts store-texts save-texts texts",
    "--capacity": "size expected items n-items 容量",
    "--error-rate": "fpr fp-rate false-positive-rate false-positives 误判率 错误率",
    "--within": "期限 时间窗 窗口 时间范围 时间窗口 时间间隔 days window time-window",
    "--body": "extract extract-text extractor main-content 正文提取 正文抽取",
    "--per": "分组 by group",
    "--preset": "预设 profile",
    "--unit": "单位 级别 level granularity",
    "--xlsx": "excel xls workbook spreadsheet 工作簿 表格",
    "--truth": "labels label gold ground-truth 答案 标签 标注",
    "--all": "全部 所有 everything",
    "--ids": "id 编号",
    "--older-than": "days age max-age ttl before older keep keep-days retain retention 天 天数 期限",
    "--values": "grid range candidates 取值 网格 候选值",
    "--min-chars": "min-length minimum-length min-len 最少 最短 最小长度 最少字数",
    "--least": "最少 至少 min-docs min-size",
    "--show": "top limit n max 条数 显示",
    "--role": "角色 权限 roles permission",
    "--texts": "原文 input inputs source",
    "--access": "token tokens auth users 令牌",
}
"""Options by the words that people try for them, beside those of `quchong.parameters.other_names`."""
INPUT = frozenset(
    "train corpus input inputs infile input-file input-path in i file files f path data src source-file input-dir "
    "input-folder input-files data-dir data-path data-file data-files in-file filename file-name filepath file-path "
    "输入 文件".split()
)
"""Words of options that name an input, which is an argument here."""
