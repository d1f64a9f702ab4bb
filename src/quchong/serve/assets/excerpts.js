"use strict";
// A match as a pair of the shared scripts: offsets in characters become offsets in the parts of both texts that are shown.
(function (q) {
  const LONGEST = 20000, // characters of a text that are shown
    LEAD = 2000, // and of them before what is looked for, where a text is cut at its beginning
    PASSAGES = 400,
    DIFFERING = 300,
    COVERED = 20; // shared characters that split a difference of wording

  /** Turns an offset in characters into one in JavaScript's units. */
  function unitsOf(text) {
    const wide = [];
    if (/[\ud800-\udbff]/.test(text)) {
      let at = 0;
      for (const character of text) {
        if (character.length === 2) wide.push(at);
        at++;
      }
    }
    return function (offset) {
      let low = 0,
        high = wide.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (wide[middle] < offset) low = middle + 1;
        else high = middle;
      }
      return offset + low;
    };
  }

  const inHalf = (text, at) => at > 0 && at < text.length && /[\udc00-\udfff]/.test(text[at]) && /[\ud800-\udbff]/.test(text[at - 1]);

  /** The part of a text that is shown: `text` is [part, characters before, characters after]; `cut` places a stretch in it. */
  function excerptOf(whole, first) {
    const from = first < LONGEST - LEAD ? 0 : Math.max(0, Math.min(first - LEAD, whole.length - LONGEST)),
      begin = inHalf(whole, from) ? from - 1 : from,
      to = Math.min(whole.length, begin + LONGEST),
      end = inHalf(whole, to) ? to + 1 : to;
    const cut = function (start, stop) {
      const inside = stop >= begin && start <= end && (stop > begin || begin === 0) && (start < end || end === whole.length);
      return inside ? [Math.max(start, begin) - begin, Math.min(stop, end) - begin] : [-1, -1];
    };
    return { text: [whole.slice(begin, end), begin, whole.length - end], cut };
  }

  const overlap = (a, b, c, d) => Math.max(0, Math.min(b, d) - Math.max(a, c));

  /** A difference of wording that covers shared passages ends as its parts outside of them; others stay as they are. */
  function outsidePassages(difference, passages, texts) {
    if (difference.kind !== "wording" || difference.conflict) return [difference];
    const out = [];
    let covered = 0;
    for (const side of [0, 1]) {
      const [start, end] = difference.spans[side];
      const shared = passages.filter((p) => p.exact).map((p) => p.spans[side]).filter(([a, b]) => overlap(start, end, a, b)).sort((a, b) => a[0] - b[0]);
      covered = Math.max(covered, shared.reduce((sum, [a, b]) => sum + overlap(start, end, a, b), 0));
      let at = start;
      for (const [a, b] of [...shared, [end, end]]) {
        const part = texts[side].slice(at, Math.max(at, a));
        if ((part.match(/[\p{L}\p{N}]/gu) || []).length >= 2) {
          const spans = side ? [null, [at, a]] : [[at, a], null];
          out.push({ ...difference, spans, told: side ? ["", part] : [part, ""] });
        }
        at = Math.max(at, b);
      }
    }
    return covered >= COVERED ? out : [difference];
  }

  /** The pair of the text asked about and a match, with the documents that the shared scripts read. */
  q.pairOfMatch = function (match, texts, names) {
    const units = texts.map(unitsOf);
    const spans = (one, left, right) => [left, right].map(([a, b], side) => [units[side](one[a]), units[side](one[b])]);
    const passages = match.passages.map((p) => ({ spans: spans(p, ["start", "end"], ["survivor_start", "survivor_end"]), exact: p.kind === "exact" }));
    const differences = match.differences
      .map((d) => ({ ...d, spans: spans(d, ["left_start", "left_end"], ["right_start", "right_end"]), told: [d.left, d.right] }))
      .flatMap((d) => outsidePassages(d, passages, texts));
    // A long text is shown around its first fact in conflict, else its first difference, else the first passage.
    const middle = match.differences.find((d) => d.conflict) || match.differences[0];
    const least = (side) => passages.reduce((found, p) => Math.min(found, p.spans[side][0]), passages[0]?.spans[side][0] ?? 0);
    const excerpts = [0, 1].map((side) => excerptOf(texts[side], middle ? units[side]([middle.left_start, middle.right_start][side]) : least(side)));
    const placed = (one) => one.spans.flatMap((span, side) => (span ? excerpts[side].cut(...span) : [-1, -1]));
    const shown = passages.map((p) => [...placed(p), p.exact ? 1 : 0]).filter((p) => p[0] >= 0 && p[2] >= 0).slice(0, PASSAGES);
    return {
      pair: {
        ...q.factsFirst(match, differences.map((d) => [q.model.kinds.indexOf(d.kind), d.conflict ? 1 : 0, ...placed(d), ...d.told.map((t) => t.slice(0, 200))])),
        passages: shown,
        passages_out: passages.length - shown.length,
      },
      documents: {
        id: names, title: ["", ""], source: [0, 0], sources: [""], time: [null, null], when: {}, removed: [0, match.kept ? 0 : 1],
        text: excerpts.map((one) => one.text), fields: {},
      },
    };
  };

  /** What the shared scripts read of a match, without its texts. */
  q.factsFirst = function (match, differences) {
    differences.sort((one, other) => other[1] - one[1]);
    return {
      left: 0, right: 1, relation: match.relation, rule: match.rule, removed: false, direction: "serve.direction", evidence: null, newer: null,
      measures: [match.jaccard, match.containment, match.match_containment],
      differences: differences.slice(0, DIFFERING), differences_out: Math.max(0, differences.length - DIFFERING),
    };
  };
  /** A match without texts. */
  q.bareMatch = (match) =>
    q.factsFirst(match, match.differences.map((d) => [q.model.kinds.indexOf(d.kind), d.conflict ? 1 : 0, -1, -1, -1, -1, d.left.slice(0, 200), d.right.slice(0, 200)]));
})(window.quchong);
