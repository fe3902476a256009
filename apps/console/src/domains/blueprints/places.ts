import type { BlueprintRow } from '@gantry/contract/blueprints/blueprints'
import { to, type To } from '../../ui/link.tsx'

/** The path parameters of a blueprint's pages. */
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

/** The key under which the browser keeps unsaved text. */
export const draftKey = (id: number | string): string => `blueprint-${id}`
