import type { RouteObject } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import type { Permission } from '@/session/useCan';
import type { RouteHandle } from '../shell/Breadcrumbs';
import { crudRoutes, page, permitted } from './parts';

/** The hospital's kits and personal kits have the same pages. */
export const kitRoutes = (title: RouteHandle['title'], write: Permission) =>
  crudRoutes('kits', title, write, {
    list: withLaterTexts(() => import('@/topics/catalogue/kits/KitsPage')),
    create: ['kits.create', withLaterTexts(() => import('@/topics/catalogue/kits/CreateKitPage'))],
    show: ['kits.one', withLaterTexts(() => import('@/topics/catalogue/kits/KitPage'))],
    edit: ['kits.edit', withLaterTexts(() => import('@/topics/catalogue/kits/EditKitPage'))],
    more: [
      permitted(
        write,
        page(
          ':id/review',
          'kits.review',
          withLaterTexts(() => import('@/topics/catalogue/kits/KitReviewPage')),
        ),
      ),
    ],
  });

/** Areas, rooms, products and recalls. */
export const catalogueRoutes = (): RouteObject[] => [
  crudRoutes('areas', 'areas.title', 'catalogue.manage', {
    list: withLaterTexts(() => import('@/topics/catalogue/areas/AreasPage')),
    create: ['areas.create', withLaterTexts(() => import('@/topics/catalogue/areas/AreaFormPage'))],
    show: ['areas.one', withLaterTexts(() => import('@/topics/catalogue/areas/AreaPage'))],
    edit: ['areas.edit', withLaterTexts(() => import('@/topics/catalogue/areas/AreaFormPage'))],
  }),
  crudRoutes('rooms', 'rooms.title', 'catalogue.manage', {
    list: withLaterTexts(() => import('@/topics/catalogue/rooms/RoomsPage')),
    create: ['rooms.create', withLaterTexts(() => import('@/topics/catalogue/rooms/RoomFormPage'))],
    show: ['rooms.one', withLaterTexts(() => import('@/topics/catalogue/rooms/RoomPage'))],
    edit: ['rooms.edit', withLaterTexts(() => import('@/topics/catalogue/rooms/RoomFormPage'))],
    more: [
      permitted(
        'catalogue.manage',
        page(
          'several',
          'rooms.createSeveral',
          withLaterTexts(() => import('@/topics/catalogue/rooms/RoomRangesPage')),
        ),
      ),
    ],
  }),
  crudRoutes('products', 'products.title', 'catalogue.manage', {
    list: withLaterTexts(() => import('@/topics/catalogue/products/ProductsPage')),
    create: ['products.create', withLaterTexts(() => import('@/topics/catalogue/products/ProductFormPage'))],
    show: ['products.one', withLaterTexts(() => import('@/topics/catalogue/products/ProductPage'))],
    edit: ['products.edit', withLaterTexts(() => import('@/topics/catalogue/products/ProductFormPage'))],
    more: [
      page(
        'categories',
        'categories.title',
        withLaterTexts(() => import('@/topics/catalogue/products/CategoriesPage')),
      ),
      permitted(
        'catalogue.manage',
        page(
          'unknown-codes',
          'codes.unknown',
          withLaterTexts(() => import('@/topics/catalogue/products/UnknownCodesPage')),
        ),
        page(
          'typed',
          'typed.title',
          withLaterTexts(() => import('@/topics/catalogue/products/TypedProductsPage')),
        ),
      ),
      permitted('kits.manage', kitRoutes('kits.title', 'kits.manage')),
    ],
  }),
  permitted(
    'recalls.manage',
    crudRoutes('recalls', 'recalls.title', 'recalls.manage', {
      list: withLaterTexts(() => import('@/topics/catalogue/recalls/RecallsPage')),
      create: ['recalls.create', withLaterTexts(() => import('@/topics/catalogue/recalls/RecallFormPage'))],
      show: ['recalls.one', withLaterTexts(() => import('@/topics/catalogue/recalls/RecallPage'))],
      edit: ['recalls.edit', withLaterTexts(() => import('@/topics/catalogue/recalls/RecallFormPage'))],
    }),
  ),
];
