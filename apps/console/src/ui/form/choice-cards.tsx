import { useId } from 'react'

interface Choice<V extends string> {
  value: V
  title: string
  /** An explanation. */
  memo?: string
}

interface ChoiceCardsProps<V extends string> {
  /** The label of the group, for screen readers; a Field provides one itself. */
  label?: string
  choices: readonly Choice<V>[]
  value?: V
  onChange?: (value: V) => void
  disabled?: boolean
}

/** One of a few choices, each on a card: for the first question of a form, on which the rest depends. */
export function ChoiceCards<V extends string>({ label, choices, value, onChange, disabled }: ChoiceCardsProps<V>) {
  const id = useId()
  return (
    <div className="g-cards" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className="g-card">
          <input
            type="radio"
            name={id}
            value={choice.value}
            checked={value === choice.value}
            disabled={disabled ?? false}
            aria-labelledby={`${id}-${choice.value}`}
            {...(choice.memo === undefined ? {} : { 'aria-describedby': `${id}-${choice.value}-memo` })}
            onChange={() => onChange?.(choice.value)}
          />
          <strong id={`${id}-${choice.value}`}>{choice.title}</strong>
          {choice.memo !== undefined && <span id={`${id}-${choice.value}-memo`}>{choice.memo}</span>}
        </label>
      ))}
    </div>
  )
}
