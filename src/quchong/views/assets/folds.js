"use strict";
// Equal stretches of two texts: folded to a line between the differences, and opened on request.
(function (q) {
  const LEAST = 220, // characters of a stretch that is worth folding
    AROUND = 50; // characters left in sight beside what differs

  /** Are equal stretches folded? Chosen once for all pairs. */
  q.folding = true;

  const inside = (start, end, from, to) => start >= from && end <= to;

  /** The differences that cut a passage, in order; null where one touches it on one side alone, so that no stretch is sure. */
  function cuts(pair, [ls, le, rs, re]) {
    const found = [];
    for (const [, , a, b, c, d] of pair.differences) {
      const left = a >= 0 && b >= ls && a <= le,
        right = c >= 0 && d >= rs && c <= re;
      if (!left && !right) continue;
      const border = (!left || b <= ls || a >= le) && (!right || d <= rs || c >= re);
      if (border) continue;
      if (!left || !right || !inside(a, b, ls, le) || !inside(c, d, rs, re)) return null;
      found.push([a, b, c, d]);
    }
    found.sort((one, other) => one[0] - other[0] || one[2] - other[2]);
    return found.every((one, k) => !k || one[2] >= found[k - 1][3]) ? found : null;
  }

  const letters = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

  /** A place near `at` where a line, a sentence or a word ends; never between the halves of a character. */
  function ending(text, at, least, most) {
    const part = text.slice(least, most);
    let found = part.search(/\n|[。！？!?]|[.;](?=\s)/);
    if (found < 0) found = part.search(/\s/);
    const to = found < 0 ? at : least + found + 1;
    const code = text.charCodeAt(to);
    return code >= 0xdc00 && code <= 0xdfff ? to + 1 : to;
  }

  /** The stretch without what stays in sight at its ends: nothing stays at the end of a whole text, whose last marks are `alike`. */
  function middle(text, start, end, alike) {
    const from = ending(text, start + AROUND, start + AROUND, start + 2 * AROUND);
    if (letters(text.slice(end))) return [from, ending(text, end - AROUND, end - 2 * AROUND, end - AROUND)];
    return [from, alike ? text.length : end];
  }

  /** Stretches that can be folded: of each both sides, as [start, end] in the texts shown. */
  q.equalStretches = function (pair) {
    const texts = [pair.left, pair.right].map((i) => (i === null ? "" : q.doc(i).text?.[0] || ""));
    const out = [];
    for (const passage of pair.passages) {
      const [ls, le, rs, re, exact] = passage;
      const between = cuts(pair, passage);
      if (!between) continue;
      const ends = [[ls, ls, rs, rs], ...between, [le, le, re, re]];
      for (let k = 0; k + 1 < ends.length; k++) {
        const left = [ends[k][1], ends[k + 1][0]],
          right = [ends[k][3], ends[k + 1][2]];
        if (Math.min(left[1] - left[0], right[1] - right[0]) < LEAST) continue;
        if (!exact && letters(texts[0].slice(...left)) !== letters(texts[1].slice(...right))) continue;
        const alike = texts[0].slice(left[1]).trim() === texts[1].slice(right[1]).trim();
        out.push([middle(texts[0], ...left, alike), middle(texts[1], ...right, alike)]);
      }
    }
    return out.filter((sides) => sides.every(([from, to]) => to - from >= LEAST / 2));
  };

  /** How much a fold holds, in lines where it has several, else in characters. */
  q.foldSaid = function (text) {
    const lines = text.split("\n").filter((line) => line.trim()).length;
    return lines > 1 ? q.t("fold.lines", q.number(lines)) : q.t("fold.characters", q.number([...text].length));
  };

  /** A folded stretch: a button with what is hidden behind it. Opened on one side it opens on both, and so it does for the browser's search. */
  q.fold = function (number, text) {
    const said = q.foldSaid(text);
    const hidden = q.el("span", { hidden: "until-found", class: "folded", "data-fold": number });
    const open = (focus) => {
      for (const one of q.byId("pair").querySelectorAll(`[data-fold="${number}"]`)) {
        if (one.matches("button")) one.remove();
        else one.removeAttribute("hidden");
      }
      q.aligned();
      if (focus) hidden.closest(".text").focus({ preventScroll: true });
    };
    const button = q.el("button", {
      type: "button", class: "fold", "data-fold": number, "data-said": said, "aria-label": said, title: q.t("fold.open"),
      on: { click: () => open(true) },
    });
    hidden.addEventListener("beforematch", () => open(false));
    return [button, hidden];
  };
})(window.quchong);
