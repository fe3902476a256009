/** Products, which the wire calls applications. */
export const en = {
  'permission.product_product_view': 'See products',
  'permission.product_product_create': 'Create products',
  'permission.product_product_edit': 'Change products',
  'permission.product_product_delete': 'Delete products',
  'products-name-taken': 'The team has a product named {name} already. Choose another name',
  'products-in-use': 'The product {name} has {count} stacks. Delete them first, or give them another product',
} as const
