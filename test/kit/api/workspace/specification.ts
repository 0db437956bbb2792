/** A test: its file under test/, without `.test.ts`, and its title. */
type TestName = `${string} › ${string}`

const FORM = 'api/workspace/attachments › is uploaded by a form, and shown in the text of its page'
const NAME = 'api/workspace/attachments › has a plain name, which is its alone on its page'
const RENAMED = 'api/workspace/attachments › is renamed with the references to it, or without'
const ENTRY = 'api/workspace/attachments › belongs to an entry of its page, or to none'
const AT_BYTE = 'api/workspace/attachments › is referred to as asked, at a byte of the text'
const LISTED = 'api/workspace/attachments › is listed newest first, by page, entry, name and trash, page by page'
const TRASH = 'api/workspace/attachments › goes to the trash, comes back, and is gone after its days there'
const VERSIONS = 'api/workspace/attachments › keeps its name and short id with new bytes, and every version'
const TOO_LARGE = 'api/workspace/attachments › is not taken beyond the size and the quota, even when many come at once'
const MISFIT = 'api/workspace/attachments › is refused with a form that does not fit, and nothing is kept'
const LINK = 'api/workspace/serving › leads to the bytes, under their name and hash'
const LATE =
  'api/workspace/serving › has a link that is worth nothing changed, late, in the trash or without its member'
const RUNS = 'api/workspace/serving › shows no browser what it could run, whatever the file is called'
const AGENTS = 'api/workspace/serving › is refused to agents, who read what is known of it'
const PICTURE = 'api/workspace/processing/processing › is a picture of two sizes, without what the camera noted'
const CHARACTERS = 'api/workspace/processing/processing › is read by characters, whatever they take up'
const NOTHING_MADE = 'api/workspace/processing/processing › is nothing for what cannot be read, and says so'
const PIECES =
  'api/workspace/uploads › arrives piece by piece, holds its room meanwhile, and is an attachment with its last byte'
const FIRST_PART = 'api/workspace/uploads › may come with its creation, and may be empty'
const OFFSET = 'api/workspace/uploads › takes nothing at another offset'
const UPLOAD_REFUSED = 'api/workspace/uploads › says what was wrong with a request, which changes nothing'
const RESERVED =
  'api/workspace/uploads › reserves its room: uploads begun at once cannot exceed the quota, and give back what they do not use'
const GIVEN_UP = 'api/workspace/tusClient › gives up an upload'
const REPLACED = 'api/workspace/notificationSending › are replaced as a whole'
const BY_DEFAULT = 'api/workspace/notificationSending › are in the list and pushed, where nothing else is said'
const ENCRYPTED =
  'api/workspace/notificationSending › are encrypted for it alone, and signed with the key that is published'
const KEYS = 'api/workspace/notificationSending › go to no address that is not public, and to nothing without keys'
const DEVICE_GONE = 'api/workspace/notificationSending › end with the device, and with its account leaving the org'
const READ = 'api/workspace/notifications › are read where somebody says so: some of them, or all'
const PAGED = 'api/workspace/notifications › come newest first, a page at a time'
const HOOK =
  'api/workspace/webhooks › gets what happened: its own headers, a small body, and a signature over the bytes'
const HOOK_TYPES = 'api/workspace/webhooks › gets the types that it names: exactly, by a prefix, or all'
const HOOK_SPACES = 'api/workspace/webhooks › gets the events of its spaces alone, which are of the org'
const HOOK_TEST = 'api/workspace/webhooks › is tested by an event of its own, whatever it names'
const HOOK_ONCE = 'api/workspace/webhooks › is made once for an Idempotency-Key, with the same secret'
const HOOK_TRIED =
  'api/workspace/webhooks › is tried eight times, from about five seconds to about an hour, whatever is answered but 2xx'
const HOOK_GONE = 'api/workspace/webhooks › is off once its receiver answers 410, which its managers are told'
const HOOK_ROTATED = 'api/workspace/webhooks › signs with both secrets for a day after a rotation'
const INFECTED =
  'api/workspace/scanning › keeps what is infected from everybody, by new links and by old ones, as a version and from the trash'
const MEMBERS = 'api/workspace/agents › is told of with every change, as members are'
const TOLD = 'api/workspace/attachments › tells of itself in the event log, without what people wrote'

/** Each operation of the workspace's specification (4), and the test that shows it. */
export const ENDPOINTS: Readonly<Record<string, TestName>> = {
  'GET /orgs/{org}/attachments': LISTED,
  'POST /orgs/{org}/attachments': FORM,
  'GET /orgs/{org}/attachments/{ref}': FORM,
  'PATCH /orgs/{org}/attachments/{ref}': RENAMED,
  'DELETE /orgs/{org}/attachments/{ref}': TRASH,
  'PUT /orgs/{org}/attachments/{ref}/content': VERSIONS,
  'GET /orgs/{org}/attachments/{ref}/download': LINK,
  'GET /orgs/{org}/attachments/{ref}/preview': PICTURE,
  'POST /orgs/{org}/attachments/{ref}/restore': TRASH,
  'GET /orgs/{org}/attachments/{ref}/text': CHARACTERS,
  'GET /orgs/{org}/attachments/{ref}/versions': VERSIONS,
  'POST /uploads': PIECES,
  'PATCH /uploads/{id}': PIECES,
  'DELETE /uploads/{id}': GIVEN_UP,
  'GET /me/notification-prefs': BY_DEFAULT,
  'PUT /me/notification-prefs': REPLACED,
  'POST /me/push-subscriptions': ENCRYPTED,
  'DELETE /me/push-subscriptions/{id}': DEVICE_GONE,
  'GET /orgs/{org}/notifications': PAGED,
  'POST /orgs/{org}/notifications/read': READ,
  'POST /orgs/{org}/webhooks': HOOK,
  'POST /orgs/{org}/webhooks/{id}/test': HOOK_TEST,
  'GET /orgs/{org}/webhooks/{id}/deliveries': HOOK_TRIED,
}

/** Each error of the specification (7): its status, its code, and the test that shows it. */
export const ERRORS: readonly { status: number; code: string; when: string; test: TestName }[] = [
  { status: 413, code: 'file_too_large', when: 'above the size limit', test: TOO_LARGE },
  { status: 413, code: 'quota_exceeded', when: 'at a direct upload', test: TOO_LARGE },
  { status: 413, code: 'quota_exceeded', when: 'when an upload is created', test: RESERVED },
  { status: 403, code: 'attachment_quarantined', when: 'download of an infected file', test: INFECTED },
  { status: 403, code: 'humans_only', when: 'an agent downloads', test: AGENTS },
  { status: 404, code: 'preview_not_available', when: 'no thumbnail can be made', test: NOTHING_MADE },
  { status: 409, code: 'upload_offset_mismatch', when: 'chunk offset differs', test: OFFSET },
]

/** Each field, rule and transition of the specification (2, 3, 4, 5, 6 and 8), and the test that shows it. */
export const RULES: Readonly<Record<string, TestName>> = {
  '2 UploadForm.page': FORM,
  '2 UploadForm.page is required': MISFIT,
  '2 UploadForm.page as short id or UUID': AT_BYTE,
  '2 UploadForm.entry': ENTRY,
  '2 UploadForm.filename, by default that of the part': NAME,
  '2 UploadForm.insert: none, embed by default, link': AT_BYTE,
  '2 UploadForm.cursor, a byte offset': AT_BYTE,
  '2 UploadForm.file comes last': MISFIT,
  '2 UpdateAttachment.entry, null detaches': ENTRY,
  '2 UpdateAttachment.filename is sanitised, a collision gets (2)': NAME,
  '2 UpdateAttachment.update_references': RENAMED,
  '2 Paged next_cursor': LISTED,
  '2 NotificationPrefs.kinds; kinds not listed use in-app and push': BY_DEFAULT,
  '2 NewPushSubscription.endpoint': KEYS,
  '2 NewPushSubscription.keys': KEYS,
  '2 MarkRead.all': READ,
  '2 MarkRead.ids': READ,
  '2 Webhook.url': 'api/workspace/webhooks › refuses what names no type, and a URL that nobody may be sent to',
  '2 Webhook.events': HOOK_TYPES,
  '2 Webhook.spaces': HOOK_SPACES,
  '2 references to what is in the trash render as missing': TRASH,
  '3 active → trashed, restorable for trash_days': TRASH,
  '3 trashed → active': TRASH,
  '3 new version keeps short id and name': VERSIONS,
  '3 upload created, with Location': PIECES,
  '3 upload receiving; the last chunk creates the attachment': PIECES,
  '3 upload: Workspace-Attachment, also after the last answer was lost':
    'api/workspace/uploads › says what it became to a sender who missed the last answer',
  '3 upload terminated': GIVEN_UP,
  '3 notification read': READ,
  '3 deferred by quiet hours':
    'api/workspace/notificationSending › wait for the end of quiet hours there, in the list and to devices, and are not lost',
  '3 deferred by a hidden role':
    'api/workspace/notificationSending › wait while the role is hidden, and then for the end of quiet hours',
  '3 confirmation questions while pending': 'api/workspace/confirmations › is before its human while it is pending',
  '3 confirmation questions while unexpired':
    'api/workspace/confirmations › is over after its time, and is asked no more',
  '4 list: page, name with page, limit, cursor, newest first': LISTED,
  '4 list: entry': ENTRY,
  '4 list: trash': TRASH,
  '4 direct upload beyond its size': TOO_LARGE,
  '4 download: 302 to a signed URL': LINK,
  '4 download: the link is good for five minutes': LATE,
  '4 download: HTML and SVG are always files': RUNS,
  '4 preview: sizes 256 and 1024, WebP': PICTURE,
  '4 preview of HEIC': 'system/workspace/programs › are a HEIC, which has a picture where it is decoded',
  '4 preview of a PDF': 'system/workspace/programs › are a PDF, which has a text and a first page',
  '4 preview of a video':
    'system/workspace/programs › are a video, which has a frame, and no playlist that names another file',
  '4 text: offset and limit in characters': CHARACTERS,
  '4 versions: newest first, current first': VERSIONS,
  '4 uploads: Upload-Length, Upload-Metadata': PIECES,
  '4 uploads: a first chunk with the creation': FIRST_PART,
  '4 uploads: other headers are refused': UPLOAD_REFUSED,
  '4 notifications: limit, cursor': PAGED,
  '4 notifications: unread': READ,
  '4 webhooks: Idempotency-Key': HOOK_ONCE,
  '4 webhooks: the secret whsec_ is shown once': HOOK_ONCE,
  '4 webhooks: exact types, a prefix, *': HOOK_TYPES,
  '4 webhooks: spaces, or every space': HOOK_SPACES,
  '4 webhooks: attempts with status codes and timings': HOOK_TRIED,
  '5 bearer token':
    'system/walks/access › nothing, stranger, no token, no scope, revoked, ended, erased, counterparty, owner',
  '5 operations for people': AGENTS,
  '6.1 attachment.created, updated, deleted, restored': TOLD,
  '6.1 page events': 'api/workspace/pages › tells of each change by an event of its own',
  '6.1 task events':
    'api/workspace/tasks › is claimed, handed in, rejected, handed in again and approved, each step told',
  '6.1 task.claim_stale': 'api/workspace/tasks › is open again when its lease is over, unless that was renewed',
  '6.1 task events of an order':
    'api/workspace/taskOrders › goes where its order goes: delivered it is submitted, rejected it is rejected, accepted it is approved',
  '6.1 comment events':
    'api/workspace/comments › is changed by its author, resolved and opened again by any member, and deleted',
  '6.1 member events': MEMBERS,
  '6.1 agent events': MEMBERS,
  '6.1 space events': 'api/workspace/spaces › is deleted while it is empty, and each change is told',
  '6.1 decision.recorded':
    'api/workspace/decisions › is recorded on a page or a task, told to their authors, and its place is taken by a later one',
  '6.1 secret.revealed':
    'api/workspace/secrets › is listed by name, and revealed with an event and an audit entry, which its author is told of',
  '6.1 import.started and finished':
    'api/workspace/imports › makes a tree of its folders, with links and images as references',
  '6.1 import.undone':
    'api/workspace/imports › is undone as a whole, by who began it or a manager of the org, and comes back from the trash',
  '6.1 webhook.test': HOOK_TEST,
  '6.1 each type, by its operation': 'api/workspace/everyEvent › is told of ',
  '6.2 headers': HOOK,
  '6.2 body; never whole pages': HOOK,
  '6.3 any other answer is retried, eight times': HOOK_TRIED,
  '6.3 an answer within a few seconds': 'api/workspace/webhooks › is given a deadline of its own',
  '6.3 410 turns it off': HOOK_GONE,
  '6.3 the same id whenever it is sent again': HOOK_TRIED,
  '6.4 HMAC over the bytes, keyed by the whole secret': HOOK,
  '6.4 several v1 during a rotation': HOOK_ROTATED,
  '8 list: 200 at most': LISTED,
  '8 text: 20000 by default, 100000 at most': CHARACTERS,
}

/** Each attack that the workspace withstands, and the test that tries it. */
export const ATTACKS: Readonly<Record<string, TestName>> = {
  polyglots: 'system/workspace/attacks › is one thing at most where it is two',
  'SVG and XML that read files':
    'system/workspace/attacks › reads no other file: SVG, under any name, and XML entities',
  'XML entities that expand': 'system/workspace/attacks › is no bomb of XML entities',
  'video playlists that read files':
    'system/workspace/programs › are a video, which has a frame, and no playlist that names another file',
  'pixel bombs': 'system/workspace/attacks › is refused as a pixel bomb',
  'zip bombs': 'system/workspace/attacks › is refused as a zip bomb, also one that lies about its size',
  'time, memory and output without end': 'system/workspace/attacks › ends at its time, its memory and its output',
  'names that lead elsewhere': NAME,
  'quota races': RESERVED,
  'leaked links': LATE,
  'agents that were shut out': 'api/workspace/shutOut › does nothing more there, and gets nothing more',
  'pages that run': RUNS,
  'infected files': INFECTED,
  'webhooks and push to addresses inside': KEYS,
}
