// Plays the games that the referee has worked out, and looks through the index. It knows no rule of any game.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const $ = (id) => document.getElementById(id);
  const read = (id) => {
    const block = $(id);
    return block ? JSON.parse(block.textContent) : null;
  };
  const made = (name, text, facts = {}) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    Object.assign(element, facts);
    return element;
  };

  // --- one step after the other ---------------------------------------------------------------------------------

  // Buttons, keys, swipes, the slider and links lead through any game. keys: the ends of links to its steps. said: what
  // is said of each. turns: the steps that begin one. show: draws a step, moving there only where `noted`.
  const stepping = (keys, said, turns, show) => {
    const [board, words, slider] = [$("board"), $("said"), $("step")];
    const links = [...document.querySelectorAll(".list a[id]")];
    // The ends of addresses name steps: the browser is not to look for the row of a move, and scroll there.
    document.querySelectorAll(".list [id]").forEach((each) => {
      each.dataset.key = each.id;
      each.removeAttribute("id");
    });
    const buttons = Object.fromEntries([...document.querySelectorAll("[data-go]")].map((each) => [each.dataset.go, each]));
    const list = document.querySelector(".list");
    const last = keys.length - 1;
    let step = last;
    let playing = 0;

    const go = (where, { noted = true } = {}) => {
      step = Math.max(0, Math.min(last, where));
      board.classList.toggle("moving", noted);
      show(step);
      const key = keys[step];
      words.textContent = said[step];
      slider.value = step;
      slider.setAttribute("aria-valuetext", said[step]);
      Object.entries(buttons).forEach(([name, button]) => {
        button.disabled = name !== "play" && (["first", "back", "turn-back"].includes(name) ? step === 0 : step === last);
      });
      links.forEach((link) => {
        const here = link.dataset.key === key;
        link.classList.toggle("here", here);
        if (!here) return link.removeAttribute("aria-current");
        link.setAttribute("aria-current", "step");
        const row = link.closest("tr, li, h3");
        if (row.offsetTop < list.scrollTop + 40 || row.offsetTop > list.scrollTop + list.clientHeight - 40)
          list.scrollTop = row.offsetTop - list.clientHeight / 2;
      });
      if (noted && decodeURIComponent(location.hash) !== `#${key}`) history.replaceState(null, "", `#${key}`);
    };

    const named = (name) => {
      const exact = keys.indexOf(name);
      return exact >= 0 || !/^\d+$/.test(name) ? exact : keys.findLastIndex((key) => parseInt(key, 10) === Number(name));
    };
    const follow = () => {
      const found = named(decodeURIComponent(location.hash.slice(1)));
      if (found < 0) return false;
      go(found, { noted: false });
      board.scrollIntoView({ block: "nearest" });
      return true;
    };
    const moves = {
      first: () => 0,
      back: () => step - 1,
      on: () => step + 1,
      last: () => last,
      "turn-back": () => turns.findLast((turn) => turn < step) ?? 0,
      "turn-on": () => turns.find((turn) => turn > step) ?? last,
    };
    const rest = () => {
      clearTimeout(playing);
      playing = 0;
      buttons.play?.setAttribute("aria-pressed", "false");
    };
    const playOn = () => {
      if (step === last) return rest();
      go(step + 1);
      playing = setTimeout(playOn, Math.min(5000, 900 + 25 * said[step].length));
    };
    const lead = (name) => {
      const wasPlaying = playing;
      rest();
      if (name !== "play") return go(moves[name]());
      if (wasPlaying) return undefined;
      if (step === last) go(0);
      buttons.play.setAttribute("aria-pressed", "true");
      playing = setTimeout(playOn, 700);
      return undefined;
    };

    Object.entries(buttons).forEach(([name, button]) => button.addEventListener("click", () => lead(name)));
    slider.addEventListener("input", () => {
      rest();
      go(Number(slider.value));
    });
    document.addEventListener("keydown", (event) => {
      const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
      const typing = event.target.closest("input, textarea, select");
      if (!name || typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      lead(name);
    });
    let touched = null;
    board.addEventListener("touchstart", (event) => {
      touched = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
    }, { passive: true });
    board.addEventListener("touchend", (event) => {
      if (!touched) return;
      const [across, down] = [event.changedTouches[0].clientX - touched[0], event.changedTouches[0].clientY - touched[1]];
      touched = null;
      if (Math.abs(across) > 30 && Math.abs(across) > 2 * Math.abs(down)) lead(across < 0 ? "on" : "back");
    });
    window.addEventListener("hashchange", () => {
      rest();
      follow();
    });

    document.querySelectorAll(".controls").forEach((each) => { each.hidden = false; });
    if (!follow()) go(last, { noted: false });
    return { again: () => go(step, { noted: false }) };
  };

  // --- a game on a board ----------------------------------------------------------------------------------------

  const play = (game) => {
    const board = $("board");
    const pieces = [...$("pieces").children];
    const owners = game.letters.flatMap((letters, side) => [...letters].map((letter) => [side, letter]));
    const lists = game.pool.map((text) => text.split(" "));
    const sheets = [...document.querySelectorAll(".sheet")].map((table) => ({
      side: game.sides.indexOf(table.dataset.side),
      left: table.querySelector(".left"),
      plural: table.querySelector(".plural"),
      rows: [...table.tBodies[0].rows],
    }));
    let step = 0;
    let eyes = game.eyes[0];

    const turned = () => eyes.side !== board.dataset.south;
    const middle = (file, rank) => (turned() ? [123 - 10 * file, 10 * rank + 3] : [10 * file + 3, 123 - 10 * rank]);
    const at = (square) => middle(...square.split(",").map(Number));
    const move = (element, [x, y]) => element.setAttribute("transform", `translate(${x} ${y})`);

    const drawLine = ([file, rank, toFile, toRank, answer]) => {
      const [[x, y], [toX, toY]] = [middle(file, rank), middle(toFile, toRank)];
      const draw = (name, facts) => {
        const element = document.createElementNS(SVG, name);
        Object.entries(facts).forEach(([key, value]) => element.setAttribute(key, value));
        $("lines").append(element);
        return element;
      };
      const long = Math.hypot(toX - x, toY - y);
      const cut = (from, length) => [from[0] + ((toX - x) * length) / long, from[1] + ((toY - y) * length) / long];
      // A piece that went stands at the end, one that did not at the start: there the line keeps off its letter. Whoever
      // knows how a turn that waits will be answered sees the piece there already.
      const taken = (square) => lists[eyes.frames[step][0]].slice(1).some((place) => place.replace("+", "") === square);
      const [here, there] = [taken(`${file},${rank}`), taken(`${toFile},${toRank}`)];
      const slant = x !== toX && y !== toY ? 1.3 : 1;
      const [beginX, beginY] = here && answer !== 1 ? cut([x, y], 4.4 * slant) : [x, y];
      const [endX, endY] = there ? cut([toX, toY], (answer ? -4.6 : -5.4) * slant) : [toX, toY];
      draw("path", { class: `trace ${["no", "yes", "waits"][answer]}`, d: `M${beginX} ${beginY}L${endX} ${endY}` });
      if (answer === 1) draw("circle", { class: "dot", cx: x, cy: y, r: 1.3 });
      if (answer === 0) draw("path", { class: "trace", d: `M${endX - 1.6} ${endY - 1.6}l3.2 3.2m0-3.2l-3.2 3.2` });
      if (answer === 2 && !there) draw("text", { class: "mark", x: endX, y: endY + 1.5 }).textContent = "?";
    };

    const drawBoard = () => {
      const [places, types] = eyes.frames[step].map((place) => lists[place]);
      move($("z"), at(places[0]));
      pieces.forEach((piece, place) => {
        const [where, type] = [places[place + 1], Number(types[place])];
        const promoted = where.endsWith("+");
        const sign = promoted ? "+" : type ? game.signs[type - 1] : "";
        piece.classList.toggle("gone", !where.includes(","));
        piece.classList.toggle("bare", !sign);
        piece.lastElementChild.textContent = sign;
        if (where.includes(",")) move(piece, at(where.replace("+", "")));
      });
      const standing = game.sides.map((side, number) => {
        const own = pieces.flatMap((piece, place) => (owners[place][0] === number && places[place + 1].includes(",") ? [place] : []));
        return `${side}: ${own.map((place) => `${owners[place][1]} ${places[place + 1]}`).join("; ")}.`;
      });
      $("board-desc").textContent = `${standing.join(" ")} Z: ${places[0]}.`;
      $("lines").replaceChildren();
      game.steps[step][3].forEach(drawLine);
      board.querySelectorAll(".file").forEach((text) => text.setAttribute("x", middle(Number(text.dataset.at), 1)[0]));
      board.querySelectorAll(".rank").forEach((text) => text.setAttribute("y", middle(1, Number(text.dataset.at))[1] + 1.5));
    };

    const marked = (letter, where) =>
      where === "x" ? `(${letter})` : where === "r" ? `[${letter}]` : where.endsWith("+") ? `${letter}+` : letter;

    const drawSheets = () => {
      const frame = eyes.frames[step];
      const before = step ? eyes.frames[step - 1] : null;
      const [places, types] = [lists[frame[0]], lists[frame[1]]];
      sheets.forEach(({ side, left, plural, rows }) => {
        const sheet = lists[frame[2 + side]];
        const earlier = before ? lists[before[2 + side]] : sheet;
        left.textContent = Number(sheet[0]).toLocaleString("en");
        plural.textContent = sheet[0] === "1" ? "" : "s";
        rows.forEach((row, line) => {
          const place = owners.findIndex((each) => each[0] === side) + line;
          const [open, was] = [parseInt(sheet[line + 1], 16), parseInt(earlier[line + 1], 16)];
          row.className = open & (open - 1) ? "" : "known";
          row.cells[0].textContent = marked(owners[place][1], places[place + 1]);
          game.signs.forEach((sign, kind) => {
            const [can, could] = [(open >> kind) & 1, (was >> kind) & 1];
            const cell = row.cells[kind + 1];
            const now = could && !can;
            cell.textContent = can || now ? sign : "·";
            cell.className = `${can ? "open" : now ? "out now" : "out"}${Number(types[place]) === kind + 1 ? " true" : ""}`;
          });
        });
      });
    };

    const steps = stepping(game.steps.map(([key]) => key), game.steps.map(([, , words]) => words), [], (where) => {
      step = where;
      drawBoard();
      if (sheets.length) drawSheets();
    });
    document.querySelectorAll("[name=eyes]").forEach((choice) =>
      choice.addEventListener("change", () => {
        eyes = game.eyes[Number(choice.value)];
        steps.again();
      }),
    );
    // Whoever has chosen with a pointer goes on through the game by arrow keys, not through the choices.
    document.querySelectorAll("[name=eyes]").forEach((choice) =>
      choice.addEventListener("click", (event) => {
        if (event.detail) board.focus({ preventScroll: true });
      }),
    );
  };

  // --- a battle on a table --------------------------------------------------------------------------------------

  const UNIT = 0;
  const COMMANDER = 2;
  const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };

  const watch = (battle) => {
    const links = [...document.querySelectorAll(".list a[id]")];
    const said = links.map((link) => {
      const rules = link.nextElementSibling?.textContent;
      const words = link.textContent.trim();
      // The id of a rule is not to be broken at its hyphen.
      return rules ? `${words} (${rules.replaceAll("-", "\u2011")})` : words;
    });
    const turns = links.flatMap((link, place) => (link.classList.contains("turn") ? [place] : []));
    const [drawn, tags] = [[...$("things").children], [...$("tags").children]];
    const [objectives, markers] = [[...$("objectives").children], [...document.querySelectorAll(".marker b")]];
    const holders = [...document.querySelectorAll(".held .holder")];
    const decks = [...document.querySelectorAll(".deck")];
    const armies = [...document.querySelectorAll(".army")].map((table) => ({
      lost: table.querySelector(".lost"),
      rows: [...table.tBodies[0].rows],
    }));
    const layouts = battle.layouts.map((text) => (text ? text.split(" ").map(Number) : []));

    // Each step says what is otherwise than it was before it: so all of them are gone through once.
    const frames = [];
    battle.steps.forEach((step) => {
      const before = frames[frames.length - 1] || { things: battle.things.map(() => null), engaged: [] };
      const things = [...before.things];
      (step.t || []).forEach(([place, ...stood]) => { things[place] = stood.length ? stood : null; });
      frames.push({
        things,
        holders: step.h || before.holders,
        cards: step.c || before.cards,
        markers: step.m || before.markers,
        engaged: step.e || before.engaged,
      });
    });

    const square = ([, , front, depth], [x, y], less) => {
      const [wide, deep] = [front - 2 * less, depth - 2 * less];
      return `M${x - wide / 2} ${y - deep / 2}h${wide}v${deep}h${-wide}z`;
    };
    const cross = ([, , front, depth], [x, y]) => {
      const reach = Math.min(front, depth) - 4;
      return `M${x - reach / 2} ${y - reach / 2}l${reach} ${reach}m0 ${-reach}l${-reach} ${reach}`;
    };
    const drawUnit = (group, thing, look) => {
      if (Number(group.dataset.look) === look) return;
      group.dataset.look = look;
      const [layout, states, ...front] = battle.looks[look];
      const men = [...states].map((state, man) => [state, layouts[layout].slice(2 * man, 2 * man + 2)]);
      const those = (wanted, draw) => men.map(([state, at]) => (state === wanted ? draw(at) : "")).join("");
      const [ahead, left, right] = front;
      const paths = [
        those("r", (at) => square(thing, at, 1)),
        those("c", (at) => square(thing, at, 3)),
        those("k", (at) => cross(thing, at)),
        front.length ? `M${left} ${-ahead}H${right}M${(left + right) / 2} ${-ahead - 32}l16 28h-32z` : "",
      ];
      paths.forEach((path, place) => group.children[place].setAttribute("d", path));
    };

    // A thing turns the shorter way round, so its bearings are counted on beyond a full circle.
    const bearings = battle.things.map(() => null);
    const place = (element, [x, y], bearing) => {
      element.style.transform = `translate(${x}px, ${y}px)${bearing === undefined ? "" : ` rotate(${bearing}deg)`}`;
    };
    const drawThing = (thing, number, stood, before) => {
      const [group, tag] = [drawn[number], tags[number]];
      group.classList.toggle("gone", !stood);
      tag.classList.toggle("gone", !stood || stood.length < 7);
      // What comes onto the table is where it is at once: there is nowhere for it to come from.
      [group, tag].forEach((each) => each.classList.toggle("coming", Boolean(stood) && !before));
      if (!stood) return;
      const [x, y, bearing, look, tagX, tagY, beside] = stood;
      const was = bearings[number];
      const full = was === null ? bearing : was + ((((bearing - was) % 360) + 540) % 360) - 180;
      bearings[number] = full;
      place(group, [x, y], full);
      if (thing[1] === UNIT) drawUnit(group, thing, look);
      if (beside) {
        place(tag, [tagX, tagY]);
        tag.firstElementChild.setAttribute("class", beside);
      }
    };

    const cell = (row, column, text) => {
      if (row.cells[column].textContent !== text) row.cells[column].textContent = text;
    };
    const point = (x, y) => `(${x / 10},${(battle.height - y) / 10})`;
    const drawArmies = (frame) => armies.forEach((army, side) => {
      const own = battle.things.flatMap((thing, number) => (thing[0] === side && thing[1] === UNIT ? [number] : []));
      const leaders = battle.things.flatMap((thing, number) => (thing[0] === side && thing[1] === COMMANDER ? [number] : []));
      let sum = 0;
      [...own, ...leaders].forEach((number, line) => {
        const [row, stood, size] = [army.rows[line], frame.things[number], battle.things[number][4]];
        const states = stood ? battle.looks[stood[3]][1] : "";
        const [ranks, confused, bodies] = ["r", "c", "k"].map((state) => states.split(state).length - 1);
        row.classList.toggle("off", !stood);
        cell(row, 1, stood ? point(stood[0], stood[1]) : "off");
        if (battle.things[number][1] === COMMANDER) return;
        const lost = size - ranks - confused;
        sum += lost;
        cell(row, 2, stood ? `${stood[2]}°` : "");
        [ranks, confused, bodies, lost].forEach((count, column) => cell(row, column + 3, String(count)));
      });
      army.lost.textContent = sum;
    });

    const drawCards = (now, before) => decks.forEach((deck, side) => {
      const [[left, turned], was] = [now[side], before[side]];
      const cards = turned ? turned.split(" ") : [];
      const known = was[1] && turned.startsWith(was[1]) ? was[1].split(" ").length : 0;
      deck.querySelector(".left").textContent = left;
      const written = cards.flatMap((card, number) => {
        const red = /[DH]$/.test(card) ? "heart" : "";
        const fresh = turned !== was[1] && number >= known ? "fresh" : "";
        return [made("b", card.replace(/[CDHS]$/, (suit) => SUITS[suit]), { className: `${red} ${fresh}`.trim() }), " "];
      });
      deck.querySelector(".cards").replaceChildren(...(written.length ? written : ["none"]));
    });

    const lines = (all) => all.map(([x, y, toX, toY]) => `M${x} ${y}L${toX} ${toY}`).join("");

    const show = (step) => {
      const [frame, before, now] = [frames[step], frames[step - 1] || frames[step], battle.steps[step]];
      battle.things.forEach((thing, number) => drawThing(thing, number, frame.things[number], before.things[number]));
      const trails = frame.things.flatMap((stood, number) => {
        const was = before.things[number];
        const far = stood && was && battle.things[number][1] !== 1 && Math.hypot(stood[0] - was[0], stood[1] - was[1]) > 5;
        return far ? [[was[0], was[1], stood[0], stood[1]]] : [];
      });
      $("trails").setAttribute("d", lines(trails));
      const off = frame.things.filter((stood) => stood && stood.length > 6 && stood[6].endsWith("off"));
      $("joined").setAttribute("d", lines(off.map(([x, y, , , ...tag]) => [x, y, tag[0], tag[1]])));
      $("engaged").setAttribute("d", lines(frame.engaged));
      $("shot").setAttribute("d", lines(now.s ? [now.s] : []));
      tags.forEach((tag, number) => tag.classList.toggle("acting", (now.a || []).includes(number)));
      objectives.forEach((each, number) => {
        const holder = frame.holders[number];
        each.setAttribute("class", `objective ${holder}`);
        each.lastElementChild.textContent = battle.objectives[number] + (holder ? ` ${holder[0].toUpperCase()}` : "");
        if (!holders[number]) return;
        holders[number].textContent = holder ? holder[0].toUpperCase() + holder.slice(1) : "Nobody";
        holders[number].previousElementSibling.className = `side ${holder}`;
      });
      markers.forEach((each, number) => { each.textContent = frame.markers[number]; });
      drawArmies(frame);
      drawCards(frame.cards, before.cards);
    };

    stepping(links.map((link) => link.id), said, turns, show);
  };

  // --- looking for games, players and events --------------------------------------------------------------------

  const MOST = 100;

  const search = (index) => {
    const [field, found, plain, count] = [$("wanted"), $("found"), $("plain"), $("count")];
    const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const people = new Map(index.people);
    const events = new Map(index.events);
    const named = (who) => (typeof who === "number" ? people.get(who) : who);
    const games = index.games.map((game) => {
      const [number, day, players, event, result, title] = game;
      return [folded([`${title} ${number}`, day, ...players.map(named), events.get(event) || "", result].join(" ")), game];
    });
    const others = [
      ...index.events.map(([number, name]) => [folded(name), `events/${number}.html`, name, "event"]),
      ...index.people.map(([number, name]) => [folded(name), `players/${number}.html`, name, "player"]),
    ];
    const link = (href, text) => {
      const a = made("a", undefined, { href });
      a.append(made("bdi", text));
      return a;
    };
    const under = (...inside) => {
      const line = made("span", undefined, { className: "under" });
      line.append(...inside);
      return line;
    };
    const gameLine = ([number, day, players, event, result, title]) => {
      const row = made("tr");
      const cells = Array.from({ length: 3 }, () => row.insertCell());
      cells[0].append(link(`games/${number}.html`, `${title} ${number}`), under(day));
      players.forEach((who, place) => {
        if (place) cells[1].append(" – ");
        const player = made("span", undefined, { className: "player" });
        player.append(made("span", undefined, { className: `side ${index.seats[title][place]}` }), " ");
        player.append(typeof who === "number" ? link(`players/${who}.html`, people.get(who)) : made("bdi", who));
        cells[1].append(player);
      });
      if (event) cells[1].append(under(link(`events/${event}.html`, events.get(event))));
      cells[2].textContent = result;
      return row;
    };
    const look = () => {
      const words = folded(field.value).split(/\s+/).filter(Boolean);
      const has = (text) => words.every((word) => text.includes(word));
      plain.hidden = words.length > 0;
      found.hidden = !words.length;
      found.replaceChildren();
      if (!words.length) {
        count.textContent = "";
        return;
      }
      const hits = games.filter(([text]) => has(text));
      const named = others.filter(([text]) => has(text));
      const nothing = !hits.length && !named.length;
      count.textContent = nothing ? "Nothing is found." : `${hits.length} game${hits.length === 1 ? "" : "s"}, ${named.length} player${named.length === 1 ? "" : "s"} and events`;
      if (named.length) {
        const list = made("ul");
        named.slice(0, MOST).forEach(([, href, name, what]) => {
          const item = made("li");
          item.append(link(href, name), ` (${what})`);
          list.append(item);
        });
        found.append(list);
      }
      if (hits.length) {
        const around = made("div", undefined, { className: "wide", tabIndex: 0 });
        around.setAttribute("role", "region");
        around.setAttribute("aria-label", "Games that were found");
        const table = made("table", undefined, { className: "games" });
        const head = table.createTHead().insertRow();
        ["Game", "Players", "Result"].forEach((text) => head.append(made("th", text, { scope: "col" })));
        const body = table.createTBody();
        hits.slice(0, MOST).forEach(([, game]) => body.append(gameLine(game)));
        around.append(table);
        found.append(around);
        if (hits.length > MOST) found.append(made("p", `${hits.length - MOST} more are left out: say more of what you look for.`));
      }
    };
    field.addEventListener("input", look);
    document.querySelector(".looking").hidden = false;
    look(); // a browser that goes back has kept what was typed
  };

  const game = read("game");
  if (game) play(game);
  const battle = read("battle");
  if (battle) watch(battle);
  const index = read("index");
  if (index) search(index);
})();
