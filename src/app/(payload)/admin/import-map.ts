import { RscEntryLexicalCell as RscEntryLexicalCell_44fe37237e0ebf4470c9990d8cb7b07e } from '@payloadcms/richtext-lexical/rsc'
import { RscEntryLexicalField as RscEntryLexicalField_44fe37237e0ebf4470c9990d8cb7b07e } from '@payloadcms/richtext-lexical/rsc'
import { LexicalDiffComponent as LexicalDiffComponent_44fe37237e0ebf4470c9990d8cb7b07e } from '@payloadcms/richtext-lexical/rsc'
import { TableFeatureClient as TableFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { BlocksFeatureClient as BlocksFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { UploadFeatureClient as UploadFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { LinkFeatureClient as LinkFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { BoldFeatureClient as BoldFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { ItalicFeatureClient as ItalicFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { UnderlineFeatureClient as UnderlineFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { StrikethroughFeatureClient as StrikethroughFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { SubscriptFeatureClient as SubscriptFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { SuperscriptFeatureClient as SuperscriptFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { InlineCodeFeatureClient as InlineCodeFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { ParagraphFeatureClient as ParagraphFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { HeadingFeatureClient as HeadingFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { AlignFeatureClient as AlignFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { IndentFeatureClient as IndentFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { UnorderedListFeatureClient as UnorderedListFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { OrderedListFeatureClient as OrderedListFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { ChecklistFeatureClient as ChecklistFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { BlockquoteFeatureClient as BlockquoteFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { HorizontalRuleFeatureClient as HorizontalRuleFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { InlineToolbarFeatureClient as InlineToolbarFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { RelationshipFeatureClient as RelationshipFeatureClient_e70f5e05f09f93e00b997edb1ef0c864 } from '@payloadcms/richtext-lexical/client'
import { AdminMessages as AdminMessages_22e200828dcee3c3c05034d7707d41db } from '../../../../src/cms/admin/messages.tsx'
import { Icon as Icon_92d30c5830b19b9da0a9a6ae4206dece } from '../../../../src/cms/admin/brand.tsx'
import { Logo as Logo_92d30c5830b19b9da0a9a6ae4206dece } from '../../../../src/cms/admin/brand.tsx'
import { MoneyMenu as MoneyMenu_58fbee3087fa85a333766fab2b2221e3 } from '../../../../src/cms/admin/money/money-menu.tsx'
import { TicketsMenu as TicketsMenu_26c10a3839c6cae4a090f88f443af2cd } from '../../../../src/cms/admin/tickets/tickets-menu.tsx'
import { SessionKeeper as SessionKeeper_f6212a2f93b3abdcf72e7da993583715 } from '../../../../src/cms/admin/session-keeper.tsx'
import { NamedControls as NamedControls_dd2234e0ae7aef942b2f84c5afa14cb0 } from '../../../../src/cms/admin/named-controls.tsx'
import { MoneyView as MoneyView_c6ffdf05558fd2060d05c633938806a4 } from '../../../../src/cms/admin/money/money-view.tsx'
import { QueueView as QueueView_6d4366a84bdad131762ad47e9a690dd4 } from '../../../../src/cms/admin/tickets/queue-view.tsx'
import { FiguresView as FiguresView_e6d60d21a965a38af4a0851d595a2a5b } from '../../../../src/cms/admin/tickets/figures/figures-view.tsx'
import { TicketView as TicketView_d496523ea211ed09799936d93dc2cc3d } from '../../../../src/cms/admin/tickets/ticket-view.tsx'
import { QueueRedirect as QueueRedirect_92110f549d96a54d0318ef9ce676e212 } from '../../../../src/cms/admin/session-redirects.tsx'
import { CategoriesView as CategoriesView_97dfbebebda4e1ef1143397bc2240936 } from '../../../../src/cms/admin/tickets/categories/categories-view.tsx'
import { VotingsRedirect as VotingsRedirect_92110f549d96a54d0318ef9ce676e212 } from '../../../../src/cms/admin/session-redirects.tsx'
import { LoginRedirect as LoginRedirect_92110f549d96a54d0318ef9ce676e212 } from '../../../../src/cms/admin/session-redirects.tsx'
import { LogoutRedirect as LogoutRedirect_92110f549d96a54d0318ef9ce676e212 } from '../../../../src/cms/admin/session-redirects.tsx'
import { UnauthorizedRedirect as UnauthorizedRedirect_92110f549d96a54d0318ef9ce676e212 } from '../../../../src/cms/admin/session-redirects.tsx'
import { ForgotRedirect as ForgotRedirect_92110f549d96a54d0318ef9ce676e212 } from '../../../../src/cms/admin/session-redirects.tsx'
import { CollectionCards as CollectionCards_f9c02e79a4aed9a3924487c0cd4cafb1 } from '@payloadcms/next/rsc'

/** @type import('payload').ImportMap */
export const importMap = {
  "@payloadcms/richtext-lexical/rsc#RscEntryLexicalCell": RscEntryLexicalCell_44fe37237e0ebf4470c9990d8cb7b07e,
  "@payloadcms/richtext-lexical/rsc#RscEntryLexicalField": RscEntryLexicalField_44fe37237e0ebf4470c9990d8cb7b07e,
  "@payloadcms/richtext-lexical/rsc#LexicalDiffComponent": LexicalDiffComponent_44fe37237e0ebf4470c9990d8cb7b07e,
  "@payloadcms/richtext-lexical/client#TableFeatureClient": TableFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#BlocksFeatureClient": BlocksFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#UploadFeatureClient": UploadFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#LinkFeatureClient": LinkFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#BoldFeatureClient": BoldFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#ItalicFeatureClient": ItalicFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#UnderlineFeatureClient": UnderlineFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#StrikethroughFeatureClient": StrikethroughFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#SubscriptFeatureClient": SubscriptFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#SuperscriptFeatureClient": SuperscriptFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#InlineCodeFeatureClient": InlineCodeFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#ParagraphFeatureClient": ParagraphFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#HeadingFeatureClient": HeadingFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#AlignFeatureClient": AlignFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#IndentFeatureClient": IndentFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#UnorderedListFeatureClient": UnorderedListFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#OrderedListFeatureClient": OrderedListFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#ChecklistFeatureClient": ChecklistFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#BlockquoteFeatureClient": BlockquoteFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#HorizontalRuleFeatureClient": HorizontalRuleFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#InlineToolbarFeatureClient": InlineToolbarFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "@payloadcms/richtext-lexical/client#RelationshipFeatureClient": RelationshipFeatureClient_e70f5e05f09f93e00b997edb1ef0c864,
  "/src/cms/admin/messages.tsx#AdminMessages": AdminMessages_22e200828dcee3c3c05034d7707d41db,
  "/src/cms/admin/brand.tsx#Icon": Icon_92d30c5830b19b9da0a9a6ae4206dece,
  "/src/cms/admin/brand.tsx#Logo": Logo_92d30c5830b19b9da0a9a6ae4206dece,
  "/src/cms/admin/money/money-menu.tsx#MoneyMenu": MoneyMenu_58fbee3087fa85a333766fab2b2221e3,
  "/src/cms/admin/tickets/tickets-menu.tsx#TicketsMenu": TicketsMenu_26c10a3839c6cae4a090f88f443af2cd,
  "/src/cms/admin/session-keeper.tsx#SessionKeeper": SessionKeeper_f6212a2f93b3abdcf72e7da993583715,
  "/src/cms/admin/named-controls.tsx#NamedControls": NamedControls_dd2234e0ae7aef942b2f84c5afa14cb0,
  "/src/cms/admin/money/money-view.tsx#MoneyView": MoneyView_c6ffdf05558fd2060d05c633938806a4,
  "/src/cms/admin/tickets/queue-view.tsx#QueueView": QueueView_6d4366a84bdad131762ad47e9a690dd4,
  "/src/cms/admin/tickets/figures/figures-view.tsx#FiguresView": FiguresView_e6d60d21a965a38af4a0851d595a2a5b,
  "/src/cms/admin/tickets/ticket-view.tsx#TicketView": TicketView_d496523ea211ed09799936d93dc2cc3d,
  "/src/cms/admin/session-redirects.tsx#QueueRedirect": QueueRedirect_92110f549d96a54d0318ef9ce676e212,
  "/src/cms/admin/tickets/categories/categories-view.tsx#CategoriesView": CategoriesView_97dfbebebda4e1ef1143397bc2240936,
  "/src/cms/admin/session-redirects.tsx#VotingsRedirect": VotingsRedirect_92110f549d96a54d0318ef9ce676e212,
  "/src/cms/admin/session-redirects.tsx#LoginRedirect": LoginRedirect_92110f549d96a54d0318ef9ce676e212,
  "/src/cms/admin/session-redirects.tsx#LogoutRedirect": LogoutRedirect_92110f549d96a54d0318ef9ce676e212,
  "/src/cms/admin/session-redirects.tsx#UnauthorizedRedirect": UnauthorizedRedirect_92110f549d96a54d0318ef9ce676e212,
  "/src/cms/admin/session-redirects.tsx#ForgotRedirect": ForgotRedirect_92110f549d96a54d0318ef9ce676e212,
  "@payloadcms/next/rsc#CollectionCards": CollectionCards_f9c02e79a4aed9a3924487c0cd4cafb1
}
