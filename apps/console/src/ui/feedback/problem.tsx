/** Why something failed; a screen reader says it at once. Nothing without a text. */
export function Problem({ text }: { text: string | null | undefined }) {
  if (!text) return null
  return (
    <p className="g-note g-note-bad" role="alert">
      {text}
    </p>
  )
}
