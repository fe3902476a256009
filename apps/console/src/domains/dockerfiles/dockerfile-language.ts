import { StreamLanguage } from '@codemirror/language'

const instructions =
  /^(add|arg|cmd|copy|entrypoint|env|expose|from|healthcheck|label|maintainer|onbuild|run|shell|stopsignal|user|volume|workdir)\b/i

interface State {
  /** Whether the previous line continues in this one. */
  continued: boolean
}

/** Tokenizes instructions, comments, strings, flags and variables of a Dockerfile. */
export const dockerfileLanguage = StreamLanguage.define<State>({
  name: 'dockerfile',
  startState: () => ({ continued: false }),
  token(stream, state) {
    const first = stream.sol()
    if (first) {
      const { continued } = state
      state.continued = /[\\`]\s*$/.test(stream.string)
      stream.eatSpace()
      if (stream.peek() === '#') {
        // a comment within a continued instruction does not end it
        state.continued ||= continued
        stream.skipToEnd()
        return 'comment'
      }
      if (!continued && stream.match(instructions)) return 'keyword'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^--[a-z-]+=?/i)) return 'attributeName'
    if (stream.match(/^\$(\w+|\{[^}]*\}?)/)) return 'variableName'
    if (stream.match(/^"([^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return 'string'
    if (stream.match(/^as\b/i)) return 'keyword'
    if (stream.match(/^\d+\b/)) return 'number'
    if (!stream.match(/^[^\s"'$]+/)) stream.next()
    return null
  },
  languageData: { commentTokens: { line: '#' } },
})
