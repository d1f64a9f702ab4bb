"use strict";
// Scroll lock: where one text is scrolled, the other shows the same passage.
(function (q) {
  /** Are both texts scrolled together? Chosen once for all pairs. */
  q.locked = true;
  const READ = 0.35; // the line looked at, as a share of the box's height
  let boxes = [],
    knots = [],
    expected = [];

  const top = (box, node) => node.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;

  /** Heights that belong together: of passages and differences that both texts have, in order on both sides. */
  function found() {
    const at = (selector) => boxes.map((box) => box.querySelector(selector)).map((node, k) => (node && node.getClientRects().length ? top(boxes[k], node) : null));
    const names = new Set();
    for (const node of boxes[0].querySelectorAll("[data-passage], [data-difference]"))
      names.add(node.dataset.difference === undefined ? `[data-passage="${node.dataset.passage}"]` : `[data-difference="${node.dataset.difference}"]`);
    const pairs = [...names].map(at).filter(([a, b]) => a !== null && b !== null).sort((one, other) => one[0] - other[0]);
    const out = [[0, 0]];
    for (const [a, b] of pairs) {
      const [x, y] = out[out.length - 1];
      if (a > x && b > y) out.push([a, b]);
    }
    const [x, y] = out[out.length - 1];
    out.push([Math.max(x + 1, boxes[0].scrollHeight), Math.max(y + 1, boxes[1].scrollHeight)]);
    return out;
  }

  /** The height on the other side of the one at `y` on side `k`. */
  function across(y, k) {
    for (let n = 1; n < knots.length; n++) {
      const [from, to] = [knots[n - 1], knots[n]];
      if (y <= to[k] || n === knots.length - 1)
        return from[1 - k] + ((y - from[k]) / (to[k] - from[k])) * (to[1 - k] - from[1 - k]);
    }
    return y;
  }

  function follow(k) {
    if (!q.locked || boxes.length < 2) return;
    const [box, other] = [boxes[k], boxes[1 - k]];
    if (Math.abs(box.scrollTop - expected[k]) < 2) return; // it was moved for the other one
    expected[k] = box.scrollTop;
    const ends = box.scrollHeight - box.clientHeight;
    const to = box.scrollTop <= 0 ? 0
      : box.scrollTop >= ends - 1 ? other.scrollHeight
      : across(box.scrollTop + READ * box.clientHeight, k) - READ * other.clientHeight;
    other.scrollTop = to;
    expected[1 - k] = other.scrollTop;
  }

  /** Measures both texts anew, after something in them was opened. */
  q.aligned = function () {
    if (boxes.length < 2 || !boxes.every((box) => box.isConnected)) return;
    knots = found();
    expected = boxes.map((box) => box.scrollTop);
  };

  /** Binds the texts of a pair to each other. */
  q.bindScrolling = function (texts) {
    boxes = [...texts];
    if (boxes.length < 2) return;
    boxes.forEach((box, k) => box.addEventListener("scroll", () => follow(k), { passive: true }));
    q.aligned();
  };
  window.addEventListener("resize", () => q.aligned());
})(window.quchong);
