import type { BlueprintRow } from '@gantry/contract/blueprints/blueprints'
import { to, type To } from '../../ui/link.tsx'

/** Where a blueprint is, in its product. */
export const paramsOf = ({
  id,
  applicationId,
  productName,
}: Pick<BlueprintRow, 'id' | 'applicationId' | 'productName'>) => ({
  product_id: applicationId,
  product_name: productName,
  blueprint_id: id,
})

export const toVersions = (productId: number | string): To => to('product-version', { product_id: productId })

/** The text that is typed and not yet saved is kept in this browser under this name. */
export const draftKey = (id: number | string): string => `blueprint-${id}`
