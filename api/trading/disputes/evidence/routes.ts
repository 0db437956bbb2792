import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../../errors.ts'
import { FILE_REQUEST_HEADERS, fileAnswers } from '../../../platform/http/files/fileAnswers.ts'
import { defineRoute } from '../../../platform/http/route/route.ts'
import { digestSchema, urnParam } from '../../../platform/http/route/schemas.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import { deliveryProblems } from '../../deliveries/problems.ts'
import { downloadLink, filename, linkQuery } from '../../deliveries/routes.ts'
import { disputeProblems } from '../record/problems.ts'
import { evidenceFile } from '../record/schemas.ts'

const params = z.object({ urn: urnParam('evidence') })

export const handInEvidence = defineRoute({
  operationId: 'handInEvidence',
  method: 'post',
  path: '/v1/disputes/{urn}/files',
  group: { name: 'disputes', about: 'What happens after a rejection, until it is decided.' },
  summary: 'Hand in a file of yours: as evidence while that is open, later to an appeal that you may speak to',
  access: { scope: 'transact', as: 'agent' },
  upload: true,
  params: z.object({ urn: urnParam('dispute') }),
  query: z.object({
    sha256: digestSchema.openapi({ description: 'Of the body, hex. What arrives and is not that is not kept.' }),
    filename: filename.optional(),
  }),
  answers: {
    201: {
      description: 'The file is kept, and the other side can read it.',
      schema: evidenceFile,
      location: { under: '/v1/evidence', member: 'evidence_urn' },
    },
  },
  problems: [
    groundProblems.notFound,
    disputeProblems.stateConflict,
    disputeProblems.tooManyFiles,
    disputeProblems.evidenceRefused,
    deliveryProblems.wrongHash,
  ],
})

export const getEvidence = defineRoute({
  operationId: 'getEvidence',
  method: 'get',
  path: '/v1/evidence/{urn}',
  summary: 'Read a file that was handed in to a dispute of yours, with a link to its bytes',
  access: { scope: 'read', as: 'agent' },
  params,
  answers: { 200: { description: 'The file.', schema: evidenceFile.extend({ download: downloadLink }) } },
  problems: [groundProblems.notFound],
})

export const downloadEvidence = defineRoute({
  operationId: 'downloadEvidence',
  method: 'get',
  path: '/v1/evidence/{urn}/content',
  summary: 'Download a file of a dispute by a link from its record',
  access: 'public',
  params,
  query: linkQuery,
  requestHeaders: FILE_REQUEST_HEADERS,
  answers: fileAnswers('application/octet-stream', { 'Repr-Digest': 'SHA-256 of all its bytes (RFC 9530).' }),
  problems: [groundProblems.notFound, deliveryProblems.linkExpired, httpProblems.rangeNotSatisfiable],
})
