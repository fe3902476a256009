create table product_image (
  product_id int primary key references product on delete cascade,
  image bytea not null,
  version text not null
);
