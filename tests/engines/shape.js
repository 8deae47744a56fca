// What a page looks like, as text: each piece of text with its colour and font, what overlaps, what is outside or cut.
(function () {
  function isSeen(element) {
    for (var at = element; at && at !== document.documentElement; at = at.parentElement) {
      var style = getComputedStyle(at);
      if (style.visibility === "hidden" || style.display === "none" || style.opacity === "0") return false;
      if (/visually-hidden/.test(at.getAttribute("class")) || at.hasAttribute("inert")) return false;
      if (at.localName === "details" && !at.open && !at.querySelector("summary").contains(element)) return false;
    }
    return true;
  }
  var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  var pieces = [];
  var looks = [];
  while (walker.nextNode()) {
    var node = walker.currentNode;
    var text = node.textContent.trim().replace(/\s+/g, " ");
    if (!text || /^(script|style|template|noscript|option)$/.test(node.parentElement.localName) || !isSeen(node.parentElement)) continue;
    var range = document.createRange();
    range.selectNodeContents(node);
    var box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    var style = getComputedStyle(node.parentElement);
    var size = Math.round(10 * parseFloat(style.fontSize)) / 10; // Firefox knows sixtieths of a pixel
    looks.push([text, style.color, size, style.fontWeight, style.fontFamily.split(",")[0], style.fontStyle].join(" | "));
    pieces.push({ text: text, box: box, rects: Array.from(range.getClientRects()), element: node.parentElement });
  }
  function isApart(a, b) {
    return a.right - b.left < 2 || b.right - a.left < 2 || a.bottom - b.top < 4 || b.bottom - a.top < 4;
  }
  function floats(element) {
    for (var at = element; at; at = at.parentElement) if (/fixed|sticky|absolute/.test(getComputedStyle(at).position)) return true;
    return false;
  }
  var overlaps = [];
  for (var i = 0; i < pieces.length; i += 1) {
    for (var j = i + 1; j < pieces.length; j += 1) {
      var one = pieces[i];
      var other = pieces[j];
      if (isApart(one.box, other.box) || floats(one.element) || floats(other.element)) continue;
      var meet = one.rects.some(function (a) {
        return other.rects.some(function (b) {
          return !isApart(a, b);
        });
      });
      if (meet) overlaps.push(one.text + " x " + other.text);
    }
  }
  var outside = pieces
    .filter(function (piece) {
      return piece.box.left < -1 || (piece.box.left < innerWidth && piece.box.right > innerWidth + 1 && !floats(piece.element));
    })
    .map(textOf);
  var pen = document.createElement("canvas").getContext("2d");
  function isCut(piece) {
    var style = getComputedStyle(piece.element);
    function measured(size) {
      pen.font = [style.fontStyle, style.fontWeight, size + "px", style.fontFamily].join(" ");
      return pen.measureText(piece.text);
    }
    var size = parseFloat(style.fontSize);
    var ascent = measured(size).fontBoundingBoxAscent;
    var ink = measured(100); // of small letters it is told too roughly
    var up = (ink.actualBoundingBoxAscent * size) / 100;
    var down = (ink.actualBoundingBoxDescent * size) / 100;
    var by = piece.element;
    while (by && (!/hidden|clip/.test(getComputedStyle(by).overflowY) || by.clientHeight < 2)) by = by.parentElement;
    if (!by || !ascent || !/[a-z]/i.test(piece.text)) return false; // before Chrome 87
    var top = by.getBoundingClientRect().top + by.clientTop;
    var bottom = top + by.clientHeight;
    return piece.rects.some(function (rect) {
      var line = rect.top + ascent;
      if (line < top) return false;
      if (line > bottom) return line - up < bottom - 0.3; // a line that is not shown, but for its dots
      return line - up < top - 1 || line + down > bottom + 1;
    });
  }
  function sticksOut(piece) {
    var button = piece.element.closest("button, .button");
    var box = button && button.getBoundingClientRect();
    return box && (piece.box.left < box.left || piece.box.right > box.right) && box.width > 2;
  }
  function textOf(piece) {
    return piece.text;
  }
  var icons = Array.from(document.querySelectorAll("svg.icon")).map(function (icon) {
    return icon.getBoundingClientRect().width;
  });
  return {
    looks: looks.sort(),
    overlaps: overlaps,
    outside: outside,
    cut: pieces.filter(isCut).map(textOf), // dots and tails of letters
    sticksOut: pieces.filter(sticksOut).map(textOf), // of its button
    widestIcon: Math.max.apply(null, [0].concat(icons)),
    isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
    height: document.documentElement.scrollHeight,
  };
})();
