"use strict";
// The head of the page, and its beginning.
(function (q) {
  function head() {
    q.clear(q.byId("top")).append(
      q.el(
        "div",
        { class: "bar" },
        q.el("h1", {}, q.t("serve.title"), q.el("span", { class: "brand" }, q.t("serve.brand"))),
        q.el("div", { class: "controls" }, q.controls(draw)),
      ),
    );
  }

  function draw() {
    q.dressed();
    document.title = q.t("serve.title");
    document.documentElement.dataset.drop = q.t("serve.drop");
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = q.t(node.dataset.word);
    head();
    for (const part of q.parts) part.render();
    q.drawTrouble();
    q.showPair();
  }

  draw();
  document.documentElement.dataset.drawn = "true";
  (q.byId("token") || q.byId("given")).focus({ preventScroll: true });
  q.count();
})(window.quchong);
