import { products } from '@gantry/contract/products/products'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useTeamId } from '../../ui/link.tsx'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { PictureDialog } from './picture-dialog.tsx'

export { PictureDialog }

interface ProductSelectProps {
  id?: string
  value?: number | null
  onChange?: (value: number | undefined) => void
  /** The name of the initially selected product. */
  name?: string
  /** The label, if no form field provides one. */
  label?: string
  placeholder?: string
}

/** Picks a product of the team, or none. A field of a Form. */
export function ProductSelect({ id, value, onChange, name, label, placeholder }: ProductSelectProps) {
  const team = useTeamId()
  const chosen = value ?? undefined
  const known = useRead(
    products.get,
    { params: { team, id: chosen ?? 0 } },
    { enabled: chosen !== undefined && name === undefined },
  )
  return (
    <RemoteSelect
      {...(id === undefined ? {} : { id })}
      endpoint={products.list}
      input={{ params: { team } }}
      pageSize={10}
      clearable
      {...(label === undefined ? {} : { label })}
      placeholder={placeholder ?? t('products-ui-none-chosen')}
      option={(product) => ({ value: product.id, label: product.name })}
      {...(chosen === undefined ? {} : { value: chosen, valueLabel: name ?? known.data?.name ?? '…' })}
      {...(onChange ? { onChange } : {})}
    />
  )
}
