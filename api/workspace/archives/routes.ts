import { z } from '@hono/zod-openapi'
import { orgRoute } from '../orgRoute.ts'
import { pageProblems } from '../pages/problems.ts'
import { refSchema } from '../schemas.ts'

const access = { scope: 'read', as: 'human' } as const
const answers = {
  200: {
    description: 'The archive: each page as Markdown, as it is stored, and beside the pages below it its files.',
    contentType: 'application/zip',
    headers: { 'Content-Disposition': 'A name for the file.' },
  },
}
const problems = [pageProblems.archiveTooLarge] as const

export const downloadPageArchive = orgRoute({
  operationId: 'downloadPageArchive',
  method: 'get',
  path: '/pages/{ref}/archive',
  group: { name: 'archives', about: 'Workspace: pages and their files, to take along.' },
  summary: 'Download a page and the pages below it as a ZIP archive of Markdown and files; people only',
  access,
  params: z.object({ ref: refSchema('page') }),
  answers,
  problems,
})

export const downloadSpaceArchive = orgRoute({
  operationId: 'downloadSpaceArchive',
  method: 'get',
  path: '/spaces/{ref}/archive',
  group: { name: 'archives' },
  summary: 'Download the pages of a space as a ZIP archive of Markdown and files; people only',
  access,
  params: z.object({ ref: refSchema('space') }),
  answers,
  problems,
})
