// Generated from the catalogue of events by `node cli/main.ts generate`.
/** The payload of each type of event. */
export interface EventPayloads {
  /** A member added an agent to the org. */
  'agent.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** All agents were shut out of the org (data.engaged), or let in again. */
  'agent.kill_switch': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An agent was paused in the org. */
  'agent.paused': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A paused agent was resumed. */
  'agent.resumed': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An agent was removed from the org for good. */
  'agent.revoked': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The fee of an appeal was not paid in time, or the dispute ended first. */
  'appeal.lapsed': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    appellant_urn: string
    fee: string
  }
  /** A party paid the fee of an appeal. A human decides. */
  'appeal.opened': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    appellant_urn: string
    fee: string
  }
  /** A file was attached to a page. */
  'attachment.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An attachment was moved to the trash. */
  'attachment.deleted': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A member removed an attachment from the trash for good. */
  'attachment.purged': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An attachment came out of the trash. */
  'attachment.restored': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An attachment was renamed, moved to another page or entry, has new bytes or their hash, or lost an old version for good. */
  'attachment.updated': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A bid accepts no more quotes. */
  'bid.closed': {
    bid_urn: string
    state: 'open' | 'closed'
    max_price: string
  }
  /** A bid is open. */
  'bid.posted': {
    bid_urn: string
    state: 'open' | 'closed'
    max_price: string
  }
  /** Somebody commented on a page or a task. */
  'comment.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A comment was deleted. */
  'comment.deleted': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A resolved thread is open again. */
  'comment.reopened': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A thread was resolved. */
  'comment.resolved': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A comment was edited. */
  'comment.updated': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A decision was recorded (data.supersedes: in place of an earlier one). */
  'decision.recorded': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The seller posted a delivery_notice. */
  'delivery.notice': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    message_urn: string
    delivery_urn?: string
  }
  /** The notice first reached the buyer: a webhook took it, a stream sent it, or the buyer read the thread. */
  'delivery.notified': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    message_urn: string
  }
  /** The seller uploaded a file. */
  'delivery.received': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    delivery_urn: string
    output_hash: string
  }
  /** A quarter of the time to appeal is left, or a day of a longer one, for these parties. */
  'dispute.appeal_window_ending': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    verdict_urn: string
    awaited_urns: string[]
  }
  /** Accompanies verdict.signed, about the dispute. */
  'dispute.decided': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    verdict_urn: string
  }
  /** A quarter of the time for evidence is left, or a day of a longer one, and these parties are not ready. */
  'dispute.evidence_due': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    awaited_urns: string[]
  }
  /** A party handed in a file: as evidence, or to an appeal. */
  'dispute.file_handed_in': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    evidence_urn: string
    party: 'buyer' | 'seller'
    stage: 'evidence' | 'appeal'
    sha256: string
  }
  /** A human must look at the dispute, for these reasons. */
  'dispute.flagged_for_human': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    reasons: string[]
  }
  /** Accompanies order.disputed, about the dispute. */
  'dispute.opened': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    opener_urn: string
    actor_urn?: string
  }
  /** The party that did not open the dispute responded. */
  'dispute.responded': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
  }
  /** The parties agreed on a split, or one of them conceded. */
  'dispute.settled': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    outcome: 'settlement' | 'concession' | 'release'
    refund: string
  }
  /** The erasure of an account was cancelled. */
  'erasure.cancelled': {
    human_urn: string
  }
  /** The erasure of an account was requested; it is carried out from erase_at on, unless it is cancelled. */
  'erasure.requested': {
    human_urn: string
    erase_at: string
  }
  /** To operators: the hot wallet is above its floor again. */
  'hot_wallet.above_floor': {
    hot_wallet: string
    balance: string
    due: string
    floor: string
  }
  /** To operators: the hot wallet fell below its floor. */
  'hot_wallet.below_floor': {
    hot_wallet: string
    balance: string
    due: string
    floor: string
  }
  /** An import made its pages, or failed and made none (data.state). */
  'import.finished': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An archive is being imported. */
  'import.started': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The pages of an import were moved to the trash. */
  'import.undone': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** Somebody was invited to the org, by URN or by mail. */
  'invitation.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An invitation was withdrawn or declined. */
  'invitation.ended': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** To operators: an explained loss was booked. */
  'loss.booked': {
    fact: string
    place: 'escrow' | 'hot_wallet'
    amount: string
    tx_hash: string
  }
  /** An invited person joined the org. */
  'member.added': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A member left the org, was removed, or was erased. */
  'member.removed': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A member has another role. */
  'member.role_changed': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A party gave the service the key of a sealed message. */
  'message.disclosed': {
    order_urn: string
    thread_urn: string
    message_urn: string
  }
  /** A message was posted in the thread. */
  'message.inserted': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    message_urn: string
    sender_urn: string
    kind: string
  }
  /** The buyer accepted, or the window to decide ended. */
  'order.accepted': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** The order was cancelled by a party, by both, because it was not paid, or because its hold expired undelivered. */
  'order.cancelled': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** The seller posted a delivery_notice. The buyer decides before accept_by. */
  'order.delivered': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** A party opened a dispute, or the window to deliver again ended. */
  'order.disputed': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** The payment is confirmed on chain; the thread is open. */
  'order.funded': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** The hold in the contract expired before the order ended. Its payer can reclaim the money on chain, which ends the order. */
  'order.hold_expired': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** The seller posted work_started. */
  'order.in_flight': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** An accepted payment could not be made; the order stays as it is. */
  'order.payment_failed': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    amount: string
    reason: string
  }
  /** The order exists and awaits its payment. */
  'order.placed': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    ask_urn?: string
    bid_urn?: string
    quote_urn?: string
  }
  /** The buyer rejected the delivery. The seller may deliver again before redeliver_by. */
  'order.rejected': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** The payment of a suspended order is back. Its windows are extended by the time of the suspension. */
  'order.resumed': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** A reorganisation of the chain removed the payment. The money does not move until the payment is back. */
  'order.suspended': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** A quarter of the window to decide on a delivery is left, or a day of a longer one. Only for windows of a day or more. */
  'order.window_ending': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** A page was created. */
  'page.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A page, or one above it, was moved to the trash. */
  'page.deleted': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A page, with the pages below it, moved in the tree or to another space. */
  'page.moved': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A version of a page was published. */
  'page.published': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A member removed a page from the trash for good. */
  'page.purged': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A page came out of the trash. */
  'page.restored': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The title, the text or the entries of a page changed. */
  'page.updated': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The payout waits until its owner verifies a wallet. */
  'payout.blocked': {
    payout_urn: string
    order_urn?: string
    state: 'blocked' | 'pending' | 'submitted' | 'confirmed' | 'failed'
    amount: string
    tx_hash?: string
  }
  /** The payout is confirmed on chain. */
  'payout.executed': {
    payout_urn: string
    order_urn?: string
    state: 'blocked' | 'pending' | 'submitted' | 'confirmed' | 'failed'
    amount: string
    tx_hash?: string
  }
  /** The payout failed, or the chain made it unnecessary. */
  'payout.failed': {
    payout_urn: string
    order_urn?: string
    state: 'blocked' | 'pending' | 'submitted' | 'confirmed' | 'failed'
    amount: string
    tx_hash?: string
  }
  /** The owner had a failed payout sent again, to another wallet. */
  'payout.reopened': {
    payout_urn: string
    order_urn?: string
    state: 'blocked' | 'pending' | 'submitted' | 'confirmed' | 'failed'
    amount: string
    tx_hash?: string
    wallet_urn: string
    attempt: number
  }
  /** A payout wallet was chosen; it is used from payout_from on. */
  'payout.wallet_chosen': {
    wallet_urn: string
    account_urn: string
    payout_from: string | null
  }
  /** After a restore from a backup the owner must confirm the payout wallet. */
  'payout.wallet_doubted': {
    wallet_urn: string
  }
  /** The facilitator does not know a wallet as yours, so payouts to you may take longer. reason wallets_disputed: no earlier wallet of yours handed it over. */
  'payout.wallet_unproved': {
    wallet_urn: string
    reason: string
  }
  /** A person, an agent or an org has another picture, or none. */
  'picture.changed': {
    subject_urn: string
    has_picture: boolean
  }
  /** A party accepted a proposal of the other. */
  'proposal.accepted': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    message_urn: string
    kind: string
    sha256: string
  }
  /** The bidder ordered the quote. */
  'quote.ordered': {
    quote_urn: string
    bid_urn: string
    seller_urn: string
    price: string
    state: 'open' | 'withdrawn' | 'replaced' | 'ordered'
  }
  /** A seller answered a bid. */
  'quote.posted': {
    quote_urn: string
    bid_urn: string
    seller_urn: string
    price: string
    state: 'open' | 'withdrawn' | 'replaced' | 'ordered'
  }
  /** The seller made another quote for the same bid. */
  'quote.replaced': {
    quote_urn: string
    bid_urn: string
    seller_urn: string
    price: string
    state: 'open' | 'withdrawn' | 'replaced' | 'ordered'
  }
  /** The seller withdrew the quote. */
  'quote.withdrawn': {
    quote_urn: string
    bid_urn: string
    seller_urn: string
    price: string
    state: 'open' | 'withdrawn' | 'replaced' | 'ordered'
  }
  /** The buyer rated the work. */
  'rating.posted': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    rating_urn: string
    rating: number
  }
  /** Accompanies order.delivered, about the receipt. */
  'receipt.delivered': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** Accompanies order.disputed, about the receipt. */
  'receipt.disputed': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
  }
  /** The money of the order is distributed, and its receipt signed. */
  'receipt.finalized': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    refund: string
    seller_net: string
    market_fee: string
  }
  /** The service is about to reveal the value of a secret. */
  'secret.revealed': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The seller has not delivered in time. */
  'sla.breached': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
  }
  /** A space was created. */
  'space.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An empty space was deleted. */
  'space.deleted': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A space was renamed, archived or taken out of the archive, or its readers changed. */
  'space.updated': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A task was approved, or its order was accepted. */
  'task.approved': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A task was archived. */
  'task.archived': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The lease of a claim ended. */
  'task.claim_stale': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A member claimed a task, or the order that does it was paid. */
  'task.claimed': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** Accompanies task.approved: the task is done. */
  'task.completed': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A task was filed. */
  'task.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** An approved, rejected or archived task is open again. */
  'task.refiled': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A task or its order was rejected. */
  'task.rejected': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A claimed task was given back, or its order ended without its work. */
  'task.released': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** Accompanies the type that says how a task changed its state. */
  'task.state_changed': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A task was handed in, or its order was delivered. */
  'task.submitted': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The text, files, plan or place of a task changed, or its offer on the market began or ended. */
  'task.updated': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The money is distributed as the verdict says. */
  'verdict.resolved': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    verdict_urn: string
  }
  /** The service signed a verdict. An automated one can be appealed. */
  'verdict.signed': {
    order_urn: string
    state:
      | 'placed'
      | 'funded'
      | 'in_flight'
      | 'delivered'
      | 'accepted'
      | 'rejected'
      | 'cancelled'
      | 'disputed'
      | 'final'
    price: string
    escrow_mode: 'custodied' | 'contract'
    buyer_urn: string
    seller_urn: string
    thread_urn?: string
    receipt_urn?: string
    sla_due_at?: string
    accept_by?: string
    redeliver_by?: string
    dispute_urn: string
    dispute_state: 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'
    due_at?: string
    verdict_urn: string
  }
  /** A view of the tasks of an org was saved. */
  'view.created': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** A saved view was deleted. */
  'view.deleted': {
    org_id: string
    entity_type: string
    entity_id: string
    short_id: string | null
    space_id: string | null
    actor_id: string | null
    via: 'agent' | 'web' | 'api' | 'service'
    data: Record<string, unknown>
  }
  /** The service gave up a delivery. Your other webhooks receive this event. */
  'webhook.dead_letter': {
    webhook_urn: string
    delivery_id: string
    event_id: string
    event_type: string
  }
  /** The service paused a webhook, because all attempts of a day failed. */
  'webhook.subscription.paused': {
    webhook_urn: string
    status: 'paused'
  }
}
