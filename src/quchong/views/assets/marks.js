"use strict";
// A text of a pair with its shared passages and differences marked, and its equal stretches folded.
(function (q) {
  /** The stretches of one side: [start, end, what], and where marks stand that have no length. */
  function stretches(pair, right) {
    const passages = pair.passages.map((p, n) => ({
      start: p[right ? 2 : 0],
      end: p[right ? 3 : 1],
      n,
      exact: p[4] === 1,
    }));
    const differences = pair.differences
      .map((d, n) => ({ start: d[right ? 4 : 2], end: d[right ? 5 : 3], n, kind: d[0], conflict: d[1] === 1 }))
      .filter((d) => d.start >= 0);
    return { passages, differences };
  }

  /** A text with its marks; `chosen` hears of passages clicked on, and on which side their other end is. Only text nodes hold what
   *  strangers wrote. */
  q.markedText = function (pair, document, right, folds, chosen) {
    const held = q.doc(document).text;
    const label = `${q.t(right ? "pair.right" : "pair.left")}: ${q.plain(q.doc(document).id)}`;
    const box = q.el("div", { class: "text", dir: "auto", tabindex: 0, role: "region", "aria-label": label });
    if (!held) return box;
    const [whole, before, after] = held;
    if (!whole.length) return q.fill(box, {}, [q.el("i", { class: "soft" }, q.t("pair.empty"))]);
    if (before) box.append(q.el("span", { class: "left-out" }, q.t("pair.cut.before", q.number(before))));
    const { passages, differences } = stretches(pair, right);
    const folded = folds.map((sides, n) => ({ n, start: sides[right ? 1 : 0][0], end: sides[right ? 1 : 0][1] }));
    const edges = new Set([0, whole.length]);
    for (const s of [...passages, ...differences, ...folded]) {
      edges.add(s.start);
      edges.add(s.end);
    }
    const places = [...edges].sort((a, b) => a - b);
    const numbered = passages.length > 1,
      begun = new Set();
    let fold = null,
      into = box;
    for (let k = 0; k < places.length; k++) {
      const start = places[k],
        end = places[k + 1];
      const here = folded.find((one) => one.start <= start && start < one.end) || null;
      if (here !== fold) {
        fold = here;
        into = box;
        if (fold) {
          const [button, hidden] = q.fold(fold.n, whole.slice(fold.start, fold.end));
          box.append(button, hidden);
          into = hidden;
        }
      }
      for (const d of differences)
        if (d.start === d.end && d.start === start) into.append(mark(d, q.el("span", {}, "‸")));
      if (end === undefined) break;
      let node = q.say(q.el("span"), whole.slice(start, end));
      const d = differences.find((one) => one.start <= start && end <= one.end && one.start < one.end);
      if (d) node = mark(d, node);
      const p = passages.find((one) => one.start <= start && end <= one.end);
      if (p) {
        node = q.el("mark", { class: p.exact ? "same" : "same near", "data-passage": p.n }, node);
        if (numbered && !begun.has(p.n)) {
          node.setAttribute("data-number", p.n + 1);
          begun.add(p.n);
        }
      }
      into.append(node);
    }
    if (after) box.append(q.el("span", { class: "left-out" }, q.t("pair.cut.after", q.number(after))));
    box.addEventListener("click", (event) => {
      const passage = event.target.closest("[data-passage]");
      const selected = window.getSelection();
      if (passage && selected && selected.isCollapsed)
        chosen(`[data-passage="${passage.dataset.passage}"]`, right ? 0 : 1);
    });
    return box;
  };

  const mark = (d, node) =>
    q.el(
      "span",
      {
        class: `diff ${q.group(d.kind)}${d.conflict ? " conflict" : ""}`,
        "data-difference": d.n,
        title: q.kind(d.kind),
      },
      node,
    );
})(window.quchong);
