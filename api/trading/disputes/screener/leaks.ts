import type { Family } from './families.ts'

// Requests that the reader reveal or conceal something. Everything is bounded: these run on texts that were
// written to slow them down.

/** The text asks the reader for its instructions. */
export const ASKS: Family = {
  name: 'asks_for_prompt',
  score: 40,
  quotedScore: 10,
  patterns: [
    /\b(?:reveal|print|show|repeat|output|disclose)\b.{0,30}\b(?:system prompt|your (?:instructions|prompt|rules)|hidden prompt)\b/gi,
  ],
}

/** A picture whose address is meant to carry the reader's instructions. */
export const CARRIES: Family = {
  name: 'carries_prompt_out',
  score: 50,
  quotedScore: 20,
  patterns: [
    /!\[[^\]\n]{0,200}\]\(https?:\/\/[^)\s]{0,300}(?:prompt|instruction|system|secret|[{<]|%7b)[^)\n]{0,300}\)/gi,
    /!\[[^\]\n]{0,200}\]\(https?:\/\/[^)\s]{1,300}[?&][^)\s]{0,300}\)[^\n]{0,200}(?:\binstruction|\bprompt|consigne|anweisung|instruc|istruzion|指示|提示|지시|инструкц)/giu,
    /(?:\binstruction|\bprompt|consigne|anweisung|instruc|istruzion|指示|提示|지시|инструкц)[^\n]{0,200}!\[[^\]\n]{0,200}\]\(https?:\/\/[^)\s]{1,300}[?&][^)\s]{0,300}\)/giu,
  ],
}

/** A picture with parameters: displaying it requests its address. */
export const LEAKS: Family = {
  name: 'exfiltration',
  score: 40,
  patterns: [/!\[[^\]\n]{0,200}\]\(https?:\/\/[^)\s]{1,500}[?&][^)\s]{1,500}\)/gi],
}

/** The text asks the reader not to mention it. */
export const HIDES: Family = {
  name: 'asks_for_silence',
  score: 40,
  quotedScore: 10,
  patterns: [
    /\bdo not (?:mention|reveal|disclose|acknowledge)\b.{0,30}\b(?:this (?:message|instruction|note|text|request)|these instructions)\b/gi,
  ],
}
