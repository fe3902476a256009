import { t } from '../../api/language.ts'
import { GoTo, to } from '../../ui/link.tsx'

/** The screens of a product, its versions first. */
export function ProductTabs({ id, current }: { id: number; current: 'product-version' | 'product-app' }) {
  return (
    <nav className="g-tabs" aria-label={t('products-ui-parts')}>
      {(['product-version', 'product-app'] as const).map((name) => (
        <GoTo key={name} to={to(name, { product_id: id })} current={name === current}>
          {t(`route-${name}`)}
        </GoTo>
      ))}
    </nav>
  )
}
