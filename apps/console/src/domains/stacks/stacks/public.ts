/** Links to services, without the widgets of stacks that `public.tsx` loads. */
export { toService } from './places.ts'
