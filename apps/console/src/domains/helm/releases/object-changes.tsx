import type { ObjectChange } from '@gantry/contract/helm/releases'
import { t } from '../../../api/language.ts'
import { Difference } from '../../../ui/editor/editors.tsx'
import { useState } from 'react'

/** Objects with their changes; the difference of an object is rendered once it is opened. */
export function ObjectChanges({ objects }: { objects: readonly ObjectChange[] }) {
  return (
    <ul>
      {objects.map((one) => (
        <li key={`${one.apiVersion} ${one.kind} ${one.namespace} ${one.name}`}>
          <OneChange one={one} />
        </li>
      ))}
    </ul>
  )
}

function OneChange({ one }: { one: ObjectChange }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t(`helm-ui-change-${one.change}`)}: <span translate="no">{`${one.kind} ${one.name}`}</span>
      </summary>
      {open && <Difference before={one.before} after={one.after} />}
    </details>
  )
}
