// What a file says of itself: the first sentence of its leading comment, of its docstring, or of what stands above its first export.
import type { CodeSymbol, Text } from "./spec.ts";

const longest = 160;
/** A summary stands at the beginning, or near the first export. */
const mostHead = 6_000;
const mostBlocks = 6;

const legal = /copyright|\blicen[sc]ed?\b|spdx|all rights reserved|permission is hereby|redistribution and use/i;
/** Words to programs: linters, compilers, editors. */
const pragma =
  /^(?:[!@#*\s]*)(?:eslint|biome|oxlint|prettier|tslint|jshint|jslint|ts-|istanbul|c8 |v8 |globals? |exported |coding[:=]|vim?:|go:|\+build|frozen_string_literal|noinspection|pylint|flake8|noqa|mypy|type:|rubocop|clang-format|region|flow\b|format\b|jsx|generated|sourceMappingURL|<reference|pragma|-\*-|usr\/bin|\/usr\/bin|use strict|typed:)/i;
const tag =
  /^@(?:file|fileoverview|overview|module|packageDocumentation|summary|description|brief)\b[ \t]*(?:[\w./-]+$)?/;

/** Empty where nothing tells. */
export function summaryOf({ text, prose, grammar }: Text, symbols: readonly CodeSymbol[]): string {
  if (prose) return headingOf(text, symbols);
  const head = text.slice(0, mostHead);
  const leading = firstTelling(head, grammar === "python");
  return leading === "" ? aboveFirst(text, symbols) : leading;
}

function headingOf(text: string, symbols: readonly CodeSymbol[]): string {
  const first = symbols[0]?.name ?? "";
  if (first !== "") return sentence(first);
  return sentence(
    text
      .slice(0, 1_000)
      .split("\n")
      .find((line) => /\w/.test(line)) ?? "",
  );
}

/** Each kind of comment, from its beginning to its end, and what a program says before any. */
const passed = /^(?:\uFEFF|\s+|#!.*\n?|<\?php\b|["']use strict["'];?|<!doctype[^>]*>)/i;
const blocks = [/^\/\*([^]*?)\*\//, /^((?:[ \t]*\/\/.*(?:\n|$))+)/, /^((?:[ \t]*#(?![a-z]+\s*[<("'\w]).*(?:\n|$))+)/];
const others = [/^((?:[ \t]*--.*(?:\n|$))+)/, /^<!--([^]*?)-->/, /^=begin\b([^]*?)^=end\b/m];
const docstring = /^[rRuU]?(?:"""([^]*?)"""|'''([^]*?)'''|"([^"\n]+)"|'([^'\n]+)')/;

function firstTelling(head: string, isPython: boolean): string {
  let rest = head;
  for (let count = 0; count < mostBlocks; ) {
    const skipped = passed.exec(rest)?.[0];
    if (skipped) {
      rest = rest.slice(skipped.length);
      continue;
    }
    const kinds = isPython ? [...blocks, docstring] : [...blocks, ...others];
    const found = kinds.map((kind) => kind.exec(rest)).find((each) => each !== null);
    if (!found) return "";
    const told = plain(found.slice(1).find((group) => group !== undefined) ?? "");
    if (told !== "") return told;
    rest = rest.slice(found[0].length);
    count++;
  }
  return "";
}

/** Of a comment its first sentence; empty where it speaks of rights, or to a program. */
function plain(comment: string): string {
  if (legal.test(comment)) return "";
  const lines = comment
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/{2,3}!?|\*+(?!\w)|#+!?|--+|!)?\s?/, "").trim())
    .filter((line) => !pragma.test(line));
  const from = lines.findIndex((line) => /\w{2}/.test(line.replace(tag, "")));
  if (from < 0) return "";
  const told: string[] = [];
  for (const line of lines.slice(from)) {
    const said = told.length === 0 ? line.replace(tag, "").trim() : line;
    if (said === "" || (told.length > 0 && /^[@:]|^[-=*]{3,}$/.test(said))) break;
    if (told.length === 0 && /^@\w/.test(said)) return "";
    told.push(said);
  }
  return sentence(told.join(" "));
}

/** A comment that ends on the line above the first definition that others may use, or the docstring below it. */
function aboveFirst(text: string, symbols: readonly CodeSymbol[]): string {
  const first = symbols.find((symbol) => symbol.exported && symbol.within === "");
  if (!first) return "";
  const lines = text.split("\n", first.line + 3);
  let from = first.line - 1;
  while (
    from > 0 &&
    first.line - from < 40 &&
    /^\s*(?:\/\/|\/?\*|#(?!include|define)|@|--)/.test(lines[from - 1] ?? "")
  )
    from--;
  const above = lines
    .slice(from, first.line - 1)
    .filter((line) => !/^\s*@/.test(line))
    .join("\n")
    .trim();
  const told = above === "" ? "" : plain(/^\/\*([^]*?)\*\/$/.exec(above)?.[1] ?? above);
  if (told !== "") return told;
  const below = docstring.exec(
    lines
      .slice(first.line, first.line + 3)
      .join("\n")
      .trimStart(),
  );
  return below ? plain(below.slice(1).find((group) => group !== undefined) ?? "") : "";
}

function sentence(text: string): string {
  const flat = text
    .replace(/<\/?[a-z][^>]{0,40}>/gi, "")
    .replace(/\s+/g, " ")
    .trim();
  const end = (/^.{12,}?[.!?:](?=\s+[\p{Lu}`"(@]|\s*$)/u.exec(flat)?.[0] ?? flat).replace(/\s*:$/, "");
  return end.length <= longest ? end : `${end.slice(0, longest - 1).replace(/\s+\S*$/, "")}…`;
}
