import { serveMember } from '../serveMember.ts'
import { createView, deleteView, listViewRows, toView } from './internal/views.ts'
import * as routes from './routes.ts'

export const viewHandlers = [
  serveMember(routes.createView, async (tx, { member }, { body }) => ({
    status: 201,
    body: toView(await createView(tx, member, body), member),
  })),

  serveMember(routes.listViews, async (tx, { member }, { list }) => ({
    status: 200,
    body: await list.read(
      (page) => listViewRows(tx, member, page),
      (saved) => toView(saved, member),
    ),
  })),

  serveMember(routes.deleteView, async (tx, { member }, { params }) => {
    await deleteView(tx, member, params.ref)
    return { status: 204, body: undefined }
  }),
]
