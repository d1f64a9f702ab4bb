"use strict";
// The choice of language and colours, which every page has at its top.
(function (q) {
  const root = document.documentElement;

  /** A select with its label. */
  q.choose = function (id, word, options, value, chosen) {
    const select = q.el(
      "select",
      { id, on: { change: () => chosen(select.value) } },
      options.map(([v, said]) => q.el("option", { value: v }, said)),
    );
    select.value = value;
    return q.el("span", { class: "control" }, q.el("label", { for: id }, q.t(word)), " ", select);
  };

  /** Both choices; what is chosen is kept, and the page is drawn again. */
  q.controls = function (draw) {
    const choice = (name, options) =>
      q.choose(name, name, options, q[name], (value) => {
        q[name] = value;
        q.keep(name, value);
        draw();
        q.byId(name).focus();
      });
    return [
      choice("language", [
        ["zh", "中文"],
        ["en", "English"],
      ]),
      choice(
        "theme",
        ["auto", "light", "dark"].map((t) => [t, q.t("theme." + t)]),
      ),
    ];
  };

  /** Gives the page its language and its colours. */
  q.dressed = function () {
    root.lang = q.language === "zh" ? "zh-Hans" : "en";
    if (q.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = q.theme;
  };
})(window.quchong);
