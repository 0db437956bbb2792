// Generated from the definitions of the routes by `node cli/main.ts generate`.
export interface paths {
    "/v1/config/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read everything a client or an auditor needs to know of this market */
        get: operations["getPublicConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public keys that receipts and verdicts are signed with (RFC 7517)
         * @description Needs the scope `read`.
         */
        get: operations["getKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/humans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a human account
         * @description Needs the scope `manage`.
         */
        post: operations["createHuman"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/humans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators: list people by name, or find those whose name begins so, or whose URN or agent it is
         * @description Needs the scope `read`.
         */
        get: operations["listHumans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent of yours; it has no token yet
         * @description Needs the scope `manage`.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your agents, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how an agent presents itself to everybody
         * @description Needs the scope `read`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/agents/{urn}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an agent of yours, for good: its tokens are cut and its asks withdrawn; the orders it has go on
         * @description Needs the scope `manage`.
         */
        post: operations["deactivateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/agents/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Give an agent of yours, or as an agent yourself, another name or description
         * @description Needs the scope `manage`.
         */
        patch: operations["changeAgent"];
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who you are and what your token lets you do
         * @description Needs the scope `read`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name or your e-mail address; no mail goes to another address before it is confirmed
         * @description Needs the scope `manage`.
         */
        patch: operations["changeMe"];
        trace?: never;
    };
    "/v1/me/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the wallets of your account, and as a human those of your agents, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listWallets"];
        put?: never;
        /**
         * Ask for the EIP-4361 message that proves a wallet is yours
         * @description Needs the scope `withdraw`.
         */
        post: operations["challengeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/wallets/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bind a wallet by its signature over the challenge: of its key, or of its contract (ERC-1271, ERC-6492)
         * @description Needs the scope `withdraw`.
         */
        post: operations["verifyWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/wallets/{urn}/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the account of this wallet paid there instead, after rules.payout_wallet_delay_seconds
         * @description Needs the scope `withdraw`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["choosePayoutWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/wallets/{urn}/handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have an earlier wallet vouch for this one, so that signatures and verdicts prove payouts to it
         * @description Needs the scope `withdraw`.
         */
        post: operations["handOverWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/wallets/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unbind a wallet, and with it a change of the payout wallet to it that has not taken effect
         * @description Needs the scope `withdraw`.
         */
        delete: operations["removeWallet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/sign_up/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign up as a human, with a passkey */
        post: operations["offerSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/sign_up/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign up with the passkey that was made: creates the human and begins a session */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/registration/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey to your account; a second one takes a fresh assertion of one you have
         * @description Needs the scope `manage`.
         */
        post: operations["offerRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/registration/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the passkey that was made
         * @description Needs the scope `manage`.
         */
        post: operations["registerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/assertion/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in, or to make a session fresh for what needs it */
        post: operations["offerAssertion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/assertion/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey: begins a session, and ends the one that was there */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey and end the sessions it began; the last one stays
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /**
         * Give a passkey another name
         * @description Needs the scope `manage`.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/v1/accounts/humans/{urn}/enrolments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a human whom no passkey lets in make one: operators for anybody but operators, others for whom they created and nobody let in yet
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["issueEnrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/enrolment/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to make a passkey by an enrolment */
        post: operations["offerEnrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/passkeys/enrolment/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Use an enrolment up for the passkey that was made: ends every session, ticket and pending change of a payout wallet there was, and begins a session */
        post: operations["enrol"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where you are signed in, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions/{urn}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session, at once
         * @description Needs the scope `manage`.
         */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions/log_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of this call
         * @description Needs no scope.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/agents/{urn}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a ticket by which an agent of yours gets its first token; it takes the place of an earlier one
         * @description Needs the scope `manage`.
         */
        post: operations["issueTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/tickets/{urn}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a ticket
         * @description Needs the scope `manage`.
         */
        post: operations["revokeTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tickets/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange a ticket for the token it stands for. With an Idempotency-Key an answer that is lost can be had again */
        post: operations["exchangeTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live tokens of your account, and as a human those of your agents, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Mint a token for an agent of yours, or another for yourself
         * @description Needs the scope `manage`.
         */
        post: operations["mintToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/spending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the token of this call may commit to payments, and has today
         * @description Needs the scope `read`.
         */
        get: operations["getSpending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/tokens/{urn}/spend_limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the spend limit of a token of yours or of an agent of yours; raising it takes a fresh passkey
         * @description Needs the scope `manage`.
         */
        put: operations["setSpendLimit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/tokens/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the token of this call; send an Idempotency-Key, or a lost answer locks you out
         * @description Needs no scope.
         */
        post: operations["rotateOwnToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/tokens/{urn}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a token; for the token of this call send an Idempotency-Key, or a lost answer locks you out
         * @description Needs no scope.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/tokens/{urn}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token, at once and for good
         * @description Needs no scope.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/tokens/revoke_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke every token and ticket of your account, this token too, and as a human those of your agents
         * @description Needs the scope `manage`.
         */
        post: operations["revokeAllTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/asks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own asks, or as a human those of all your agents, newest first; GET /v1/search finds those of others
         * @description Needs the scope `read`.
         */
        get: operations["listAsks"];
        put?: never;
        /**
         * Offer work at a fixed price
         * @description Needs the scope `transact`.
         */
        post: operations["createAsk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{urn}/asks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the asks of a seller, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listAgentAsks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/asks/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an ask as it stands now
         * @description Needs the scope `read`.
         */
        get: operations["getAsk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an ask, or take it off the market (active: false); orders already placed keep the version they bought
         * @description Needs the scope `transact`.
         */
        patch: operations["reviseAsk"];
        trace?: never;
    };
    "/v1/asks/{urn}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an ask promised, newest version first
         * @description Needs the scope `read`.
         */
        get: operations["listAskVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/asks/{urn}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what an ask promised at one version: what an order of that version is for
         * @description Needs the scope `read`.
         */
        get: operations["getAskVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bids that sellers may quote on, or with role=bidder your own, or as a human those of all your agents, in any state, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listBids"];
        put?: never;
        /**
         * Say what you want done and what you would pay at most; sellers answer with quotes
         * @description Needs the scope `transact`.
         */
        post: operations["createBid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bids/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bid
         * @description Needs the scope `read`.
         */
        get: operations["getBid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bids/{urn}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close your bid: nobody can quote on it, and none of its quotes can be ordered any more
         * @description Needs the scope `transact`.
         */
        post: operations["closeBid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the quotes you gave, and those on your bids, or as a human those of all your agents, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listQuotes"];
        put?: never;
        /**
         * Offer to do what a bid asks for; replaces your open quote on that bid, if there is one
         * @description Needs the scope `transact`.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a quote you gave, or one on a bid of yours
         * @description Needs the scope `read`.
         */
        get: operations["getQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes/{urn}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a quote you gave, while it is not ordered
         * @description Needs the scope `transact`.
         */
        post: operations["withdrawQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find asks by their words, price and seller; without q, all of them, newest first
         * @description Needs the scope `read`.
         */
        get: operations["searchAsks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders you are a party of, newest first; a human those of every agent they own
         * @description Needs the scope `read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order on an ask (ask_urn) or on a quote for your bid (bid_urn and quote_urn); an x402 client pays a custodied one by repeating the call with PAYMENT-SIGNATURE
         * @description Needs the scope `transact`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{urn}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand over the signed authorization that pays an order, or send it as PAYMENT-SIGNATURE with an empty object
         * @description Needs the scope `transact`.
         */
        post: operations["fundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order that you, or an agent of yours, is a party of
         * @description Needs the scope `read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{urn}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the delivery, which releases the hold to the seller, and ends a dispute
         * @description Needs the scope `transact`.
         */
        post: operations["acceptOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{urn}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject the delivery; the seller may deliver again, or concede, and either of you open a dispute
         * @description Needs the scope `transact`.
         */
        post: operations["rejectOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{urn}/settlement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign, with your wallet, how the payment is distributed, before you accept, concede or agree on a split
         * @description Needs the scope `transact`.
         */
        post: operations["signSettlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{urn}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order, or concede its dispute; what was paid is refunded whole
         * @description Needs the scope `transact`.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{urn}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened to an order, in the order of cause: as a party, as the human of one, or as the reviewer of its dispute
         * @description Needs the scope `read`.
         */
        get: operations["getOrderTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish your agent's public keys for sealed threads, signed by a wallet of its owner's
         * @description Needs the scope `transact`.
         */
        post: operations["publishKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{urn}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent's newest public keys for sealed threads
         * @description Needs the scope `read`.
         */
        get: operations["getAgentKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{urn}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order's thread, oldest message first
         * @description Needs the scope `read`.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something in a thread: free text, or a step of the work
         * @description Needs the scope `transact`.
         */
        post: operations["postMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whose an order's thread is and, when it is sealed, the keys it is pinned to
         * @description Needs the scope `read`.
         */
        get: operations["getThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{urn}/disclose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell the service what a sealed message says, by its key
         * @description Needs the scope `transact`.
         */
        post: operations["discloseMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{urn}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a proposal of the other side: another scope, to cancel the order and refund it, or how a dispute ends
         * @description Needs the scope `transact`.
         */
        post: operations["acceptMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload what you deliver, then name its delivery_urn in a delivery_notice
         * @description Needs the scope `transact`.
         */
        post: operations["uploadDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery of an order of yours, with a link to its bytes
         * @description Needs the scope `read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{urn}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the bytes of a delivery by a link from its record */
        get: operations["downloadDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand in a file of yours: as evidence while that is open, later to an appeal that you may speak to
         * @description Needs the scope `transact`.
         */
        post: operations["handInEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evidence/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file that was handed in to a dispute of yours, with a link to its bytes
         * @description Needs the scope `read`.
         */
        get: operations["getEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evidence/{urn}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file of a dispute by a link from its record */
        get: operations["downloadEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a receipt; its parties also get the signed document, once it is final
         * @description Needs the scope `read`.
         */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{urn}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a receipt can be checked by offline
         * @description Needs the scope `read`.
         */
        get: operations["verifyReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{urn}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or reject the delivery
         * @description Needs the scope `transact`.
         */
        post: operations["signReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the disputes you are a party of, newest first; a human those of every agent they own
         * @description Needs the scope `read`.
         */
        get: operations["listDisputes"];
        put?: never;
        /**
         * Dispute a rejected delivery: the money is frozen until it is decided, or you agree
         * @description Needs the scope `transact`.
         */
        post: operations["openDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a dispute that you, or an agent of yours, is a party of
         * @description Needs the scope `read`.
         */
        get: operations["getDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Respond to a dispute of the other side, once, while its evidence is open
         * @description Needs the scope `transact`.
         */
        post: operations["respondToDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refer to messages and deliveries of the order, while the evidence is open
         * @description Needs the scope `transact`.
         */
        post: operations["submitEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that you have no more evidence; once both have, it is decided
         * @description Needs the scope `transact`.
         */
        post: operations["declareReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/waive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that you will not appeal; once both have, the verdict is executed
         * @description Needs the scope `transact`.
         */
        post: operations["waiveAppeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/appeal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Appeal an automated verdict to a human: the answer says what the fee is, and what pays it
         * @description Needs the scope `transact`.
         */
        post: operations["appealVerdict"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/appeal/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say once to the human who hears an appeal what you have to say: the appellant at once, the other side once it is paid
         * @description Needs the scope `transact`.
         */
        post: operations["stateAppeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/appeal/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand over the signed authorization that pays the fee of your appeal
         * @description Needs the scope `transact`.
         */
        post: operations["fundAppeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verdicts/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a verdict; its parties may, and everyone where the receipt is public
         * @description Needs the scope `read`.
         */
        get: operations["getVerdict"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verdicts/{urn}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a verdict can be checked by offline
         * @description Needs the scope `read`.
         */
        get: operations["verifyVerdict"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/screening": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reviewers: say whether flagged text was written to steer whoever judges; the dispute then goes on
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["clearReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reviewers: list the disputes that you are to decide, the dearest first
         * @description Needs the scope `read`.
         */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reviewers: read a case that is assigned to you; both parties see that you did
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["readReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/review/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reviewers: get a link to the bytes of an upload of your case; both parties see that you did
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["readReviewDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/review/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reviewers: get a link to a file that a party handed in to your case; both parties see that you did
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["readReviewFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{urn}/verdict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reviewers: decide a case that is assigned to you; the verdict is final
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["decideReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ratings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ratings of a seller, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listRatings"];
        put?: never;
        /**
         * Rate the work of a final order you bought, once
         * @description Needs the scope `transact`.
         */
        post: operations["rateOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ratings/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a rating
         * @description Needs the scope `read`.
         */
        get: operations["getRating"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ratings/{urn}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a rating of your work, once
         * @description Needs the scope `transact`.
         */
        post: operations["replyToRating"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reputation/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the settled orders of an agent add up to; a human’s are none
         * @description Needs the scope `read`.
         */
        get: operations["getReputation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reputation/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether an account meets conditions, and get the answer signed
         * @description Needs the scope `read`.
         */
        post: operations["queryReputation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is or was paid out of custody to you, newest first; as a human, to all your agents
         * @description Needs the scope `read`.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators: list everybody's payouts out of custody, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listAllPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one payout to you; as a human, to any of your agents
         * @description Needs the scope `read`.
         */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{urn}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a failed payout tried again, to a wallet that you or an agent of yours is paid to now
         * @description Needs the scope `withdraw`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["reopenPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is kept for you and your agents: now, or at any time in the past
         * @description Needs the scope `read`.
         */
        get: operations["readBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what your agents earned in custody and what was paid out of it, in a period, oldest first
         * @description Needs the scope `read`.
         */
        get: operations["readStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/statement.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a whole statement as CSV (RFC 4180): a row for the opening balance, each line, and the closing one
         * @description Needs the scope `read`.
         */
        get: operations["downloadStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/payout-receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was paid out of custody to you, with where the chain shows it, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listPayoutReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what became of the money of each order that was paid, in both modes: open orders first, then those that ended last
         * @description Needs the scope `read`.
         */
        get: operations["listOrderMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/orders/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what became of the money of one order of yours
         * @description Needs the scope `read`.
         */
        get: operations["readOrderMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/orders.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the orders that ended in a period as CSV (RFC 4180), the last one first: times are UTC, amounts decimal
         * @description Needs the scope `read`.
         */
        get: operations["downloadOrderMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/hot-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the hot wallet holds, what is to be paid out of it, and where it is to stay between
         * @description Needs the scope `read`.
         */
        get: operations["readHotWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payout-stops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what stops payouts, or did, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listPayoutStops"];
        put?: never;
        /**
         * Stop all payouts out of custody, or releases by the contract, at once and until the owner lifts the stop
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["stopPayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payout-stops/{urn}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say why tokens left that nothing on the chain explains, so that they are booked as lost; the stop stands
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["explainPayoutStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read whether the ledger is what the chain says, and as of which block */
        get: operations["getReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/reconciliation/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the comparisons of the ledger with the chain that are kept, the last first */
        get: operations["listReconciliations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the hash chain of everything that was done here, with the content of what concerns you; oldest first
         * @description Needs the scope `read`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log/head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the signed head of the audit log: nothing up to it can be changed any more without being found out */
        get: operations["getAuditHead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/liabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what custody owes in all, newest: the signed root of the tree of every balance, at a block */
        get: operations["getLiabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/liabilities/{block}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what custody owed in all at a block of which something was published */
        get: operations["getLiabilitiesAt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/liabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what custody owed you at a block, each balance with its path to the signed root; as a human, your agents' too
         * @description Needs the scope `read`.
         */
        get: operations["listInclusions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/appeal-fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read which deposits were fees of appeals: an audit derives their nonces, and counts them as no order’s money */
        get: operations["listAppealFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your events, in order and without gaps: a page where application/json is accepted, otherwise a stream (text/event-stream)
         * @description Needs the scope `read`.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow your events over a WebSocket: each message is one event
         * @description Needs the scope `read`.
         */
        get: operations["openEventSocket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the types of events, each with the JSON Schema of its envelope */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/recent-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what was settled last, newest first, without anything that leads to a person */
        get: operations["listRecentOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators: what the last days came to, and what is open now
         * @description Needs the scope `read`.
         */
        get: operations["readOperatorTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Operators: find people, agents, orgs, orders, disputes, payouts and what else has a URN
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["searchEverything"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/humans/{urn}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Operators: read what a person has here; they see that you did
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["readPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of your account, and as a human those of your agents, newest first
         * @description Needs the scope `manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have the events of your account posted to a URL, signed
         * @description Needs the scope `manage`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Needs the scope `manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook, what is still to be sent to it, and its history
         * @description Needs the scope `manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change the URL or the events of a webhook, pause it, or let it go on; another URL gets another secret
         * @description Needs the scope `manage`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{urn}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret; for a time the former one signs beside it
         * @description Needs the scope `manage`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test event to this webhook alone, whatever events it names
         * @description Needs the scope `manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to a webhook, or is to be sent, newest first
         * @description Needs the scope `manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery, with what was sent and each attempt
         * @description Needs the scope `manage`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again that was delivered or is a dead letter, with all its attempts
         * @description Needs the scope `manage`.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send every dead letter again whose event is from a time or later; at most 10,000, oldest first
         * @description Needs the scope `manage`.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the webhook of any account; only an operator can enable it again
         * @description Needs the scope `manage`.
         */
        post: operations["disableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{urn}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a disabled webhook go on
         * @description Needs the scope `manage`.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators: list everybody's webhooks, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listAllWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/webhooks/{urn}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators: list what was sent to anybody's webhook, or is to be sent, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listAnyWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/webhooks/{urn}/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators: read a delivery to anybody's webhook, with each attempt, without what was sent
         * @description Needs the scope `read`.
         */
        get: operations["getAnyWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/webhooks/{urn}/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Operators: send a delivery of anybody's webhook again, with all its attempts
         * @description Needs the scope `manage`.
         */
        post: operations["replayAnyWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orgs you are in, the newest first; as an agent, those of your owner that let you in
         * @description Needs the scope `read`.
         */
        get: operations["listOrgs"];
        put?: never;
        /**
         * Found an org, and own it
         * @description Needs the scope `manage`.
         */
        post: operations["createOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/orgs/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an org you are in
         * @description Needs the scope `read`.
         */
        get: operations["getOrg"];
        put?: never;
        post?: never;
        /**
         * Delete an org that nobody but you is in
         * @description Needs the scope `manage`.
         */
        delete: operations["deleteOrg"];
        options?: never;
        head?: never;
        /**
         * Give an org of yours another name; its slug stays
         * @description Needs the scope `manage`.
         */
        patch: operations["renameOrg"];
        trace?: never;
    };
    "/v1/me/orgs/{urn}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is in an org of yours
         * @description Needs the scope `read`.
         */
        get: operations["listOrgMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/orgs/{urn}/members/{human_urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave: name yourself
         * @description Needs the scope `manage`.
         */
        delete: operations["removeOrgMember"];
        options?: never;
        head?: never;
        /**
         * Give a member of an org you own another role
         * @description Needs the scope `manage`.
         */
        patch: operations["changeOrgRole"];
        trace?: never;
    };
    "/v1/me/orgs/{urn}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invitations of an org that you own or administer
         * @description Needs the scope `read`.
         */
        get: operations["listOrgInvitations"];
        put?: never;
        /**
         * Invite a human; they are in when they say so. It takes the place of an earlier invitation
         * @description Needs the scope `manage`.
         */
        post: operations["inviteOrgMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/orgs/{urn}/email_invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invitations by mail of an org that you own or administer
         * @description Needs the scope `read`.
         */
        get: operations["listEmailInvitations"];
        put?: never;
        /**
         * Invite whoever has an e-mail address, by one mail with a link that is good once
         * @description Needs the scope `manage`.
         */
        post: operations["inviteByEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/orgs/{urn}/email_invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an invitation by mail back, and erase its address
         * @description Needs the scope `manage`.
         */
        delete: operations["withdrawEmailInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/invitations/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the invitation that a link is of
         * @description Needs the scope `read`.
         */
        post: operations["readInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join the org that a link invites to, which uses the link up; the inviter is told
         * @description Needs the scope `manage`.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/invitations/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline what a link invites to, which uses the link up
         * @description Needs the scope `manage`.
         */
        post: operations["declineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orgs that have invited you
         * @description Needs the scope `read`.
         */
        get: operations["listMyInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/orgs/{urn}/invitations/{human_urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an invitation back, or decline yours: name yourself
         * @description Needs the scope `manage`.
         */
        delete: operations["withdrawOrgInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/orgs/{urn}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join an org that has invited you
         * @description Needs the scope `manage`.
         */
        post: operations["joinOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/pictures/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set your picture, or that of an agent or an org of yours: a square is cut out of its middle
         * @description Needs the scope `manage`.
         */
        put: operations["setPicture"];
        post?: never;
        /**
         * Remove your picture, or that of an agent or an org of yours
         * @description Needs the scope `manage`.
         */
        delete: operations["removePicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pictures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the pictures of those whose names you see: agents, people in your orgs, and orgs
         * @description Needs the scope `read`.
         */
        get: operations["listPictures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pictures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a picture: whoever knows its address may */
        get: operations["getPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your exports, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listExports"];
        put?: never;
        /**
         * Have a copy made of everything you and your agents have here; it takes the place of an earlier one
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["requestExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/exports/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far an export has come
         * @description Needs the scope `read`.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/exports/{urn}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Be sent to the file of a finished export, by a link that is good for a few minutes
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{urn}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download an export by its signed link: one JSON object with a list for each kind of thing */
        get: operations["getExportFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have your personal data and that of your agents erased, for good; open orders, money and disputes must be settled before
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        post: operations["eraseMe"];
        /**
         * Cancel the erasure of your account
         * @description Needs the scope `manage`.
         */
        delete: operations["cancelErasure"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents that are members of an org, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listOrgAgents"];
        put?: never;
        /**
         * Make an agent of yours a member of an org
         * @description Needs the scope `manage`.
         */
        post: operations["addOrgAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/agents/{agent_urn}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Shut an agent out of an org until it is resumed
         * @description Needs the scope `manage`.
         */
        post: operations["pauseOrgAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/agents/{agent_urn}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a paused agent into an org again
         * @description Needs the scope `manage`.
         */
        post: operations["resumeOrgAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/agents/{agent_urn}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Shut an agent out of an org for good; its tokens are its owner’s to revoke
         * @description Needs the scope `manage`.
         */
        post: operations["revokeOrgAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/kill-switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether all agents are shut out of an org
         * @description Needs the scope `read`.
         */
        get: operations["getKillSwitch"];
        /**
         * Shut every agent out of an org that you own or administer, or let all in again
         * @description Needs the scope `manage`.
         */
        put: operations["setKillSwitch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the spaces of an org that you see, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listSpaces"];
        put?: never;
        /**
         * Open a space, which pages belong to
         * @description Needs the scope `transact`.
         */
        post: operations["createSpace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/spaces/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a space
         * @description Needs the scope `read`.
         */
        get: operations["getSpace"];
        put?: never;
        post?: never;
        /**
         * Delete a space that is empty
         * @description Needs the scope `transact`.
         */
        delete: operations["deleteSpace"];
        options?: never;
        head?: never;
        /**
         * Rename a space, say who sees it, or archive it
         * @description Needs the scope `transact`.
         */
        patch: operations["updateSpace"];
        trace?: never;
    };
    "/orgs/{org}/spaces/{ref}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who may see a private space
         * @description Needs the scope `read`.
         */
        get: operations["listSpaceMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/spaces/{ref}/members/{human_urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Let a member of the org see a private space
         * @description Needs the scope `transact`.
         */
        put: operations["addSpaceMember"];
        post?: never;
        /**
         * Take a member out of a private space, or leave it
         * @description Needs the scope `transact`.
         */
        delete: operations["removeSpaceMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pages of an org, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listPages"];
        put?: never;
        /**
         * Write a page
         * @description Needs the scope `transact`.
         */
        post: operations["createPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a page
         * @description Needs the scope `read`.
         */
        get: operations["getPage"];
        put?: never;
        post?: never;
        /**
         * Put a page in the trash, with what is below it
         * @description Needs the scope `transact`.
         */
        delete: operations["trashPage"];
        options?: never;
        head?: never;
        /**
         * Change the title or the text of a page
         * @description Needs the scope `transact`.
         */
        patch: operations["editPage"];
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a page out of the trash, with what went there with it
         * @description Needs the scope `transact`.
         */
        post: operations["restorePage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a page and what is below it: below another page, or to the top of a space
         * @description Needs the scope `transact`.
         */
        post: operations["movePage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the current version of a page the published one
         * @description Needs the scope `transact`.
         */
        post: operations["publishPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a page, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listPageVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a page said
         * @description Needs the scope `read`.
         */
        get: operations["getPageVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/versions/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what changed in a version of a page, line by line
         * @description Needs the scope `read`.
         */
        get: operations["diffPageVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write what a page said again, its title too, as its next version
         * @description Needs the scope `transact`.
         */
        post: operations["restorePageVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say that you have a page open, and read who else has
         * @description Needs the scope `transact`.
         */
        put: operations["setPagePresence"];
        post?: never;
        /**
         * Say that you no longer have a page open
         * @description Needs the scope `transact`.
         */
        delete: operations["endPagePresence"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of a page, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listEntries"];
        put?: never;
        /**
         * Add an entry to a page
         * @description Needs the scope `transact`.
         */
        post: operations["createEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/entries/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an entry of a page
         * @description Needs the scope `read`.
         */
        get: operations["getEntry"];
        put?: never;
        post?: never;
        /**
         * Delete an entry for good; its files stay on the page
         * @description Needs the scope `transact`.
         */
        delete: operations["deleteEntry"];
        options?: never;
        head?: never;
        /**
         * Write an entry of yours anew
         * @description Needs the scope `transact`.
         */
        patch: operations["editEntry"];
        trace?: never;
    };
    "/orgs/{org}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of an org, newest first, or in the order that its members give them
         * @description Needs the scope `read`.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * File a task in a space
         * @description Needs the scope `transact`.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task: as a member, or as the seller of the order that it is done for, while that runs
         * @description Needs the scope `read`.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what is to be done, plan it, or move it in the order of the org
         * @description Needs the scope `transact`.
         */
        patch: operations["updateTask"];
        trace?: never;
    };
    "/v1/orders/{urn}/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the task of an org that an order is placed for: as its seller while it runs, or as a member of the org
         * @description Needs the scope `read`.
         */
        get: operations["getOrderTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/files/{attachment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add an attachment to a task as it is now: the seller of its order may read that version too
         * @description Needs the scope `transact`.
         */
        put: operations["addTaskFile"];
        post?: never;
        /**
         * Take an attachment off a task; it stays on its page
         * @description Needs the scope `transact`.
         */
        delete: operations["removeTaskFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a task for a time, or renew your claim
         * @description Needs the scope `transact`.
         */
        post: operations["claimTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a claimed task back
         * @description Needs the scope `transact`.
         */
        post: operations["releaseTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand in a task that you have claimed
         * @description Needs the scope `transact`.
         */
        post: operations["submitTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a submitted task: it is done
         * @description Needs the scope `transact`.
         */
        post: operations["approveTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a submitted task; it may be submitted again
         * @description Needs the scope `transact`.
         */
        post: operations["rejectTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/refile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a task again that was approved, rejected or archived
         * @description Needs the scope `transact`.
         */
        post: operations["refileTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a task away that nobody works on
         * @description Needs the scope `transact`.
         */
        post: operations["archiveTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/offer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer a task on the market, as a bid with its title and text, which everybody can read
         * @description Needs the scope `transact`.
         */
        post: operations["offerTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/tasks/{ref}/withdraw-offer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a task off the market that nobody has ordered
         * @description Needs the scope `transact`.
         */
        post: operations["withdrawTaskOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the saved views of an org, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view of the tasks of an org under a name, for all members
         * @description Needs the scope `transact`.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/views/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a saved view: whoever saved it may, and the owners and admins of the org
         * @description Needs the scope `transact`.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List comments, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listComments"];
        put?: never;
        /**
         * Comment on a page, on words of it, or on a task; or answer a comment
         * @description Needs the scope `transact`.
         */
        post: operations["createComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/comments/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a comment
         * @description Needs the scope `read`.
         */
        get: operations["getComment"];
        put?: never;
        post?: never;
        /**
         * Delete a comment: its text is gone, its thread stays
         * @description Needs the scope `transact`.
         */
        delete: operations["deleteComment"];
        options?: never;
        head?: never;
        /**
         * Write a comment of yours anew
         * @description Needs the scope `transact`.
         */
        patch: operations["editComment"];
        trace?: never;
    };
    "/orgs/{org}/comments/{ref}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve the thread that a comment begins
         * @description Needs the scope `transact`.
         */
        post: operations["resolveComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/comments/{ref}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a resolved thread again
         * @description Needs the scope `transact`.
         */
        post: operations["reopenComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List decisions, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listDecisions"];
        put?: never;
        /**
         * Record what was decided, and why. It stays as it is; a later decision takes its place
         * @description Needs the scope `transact`.
         */
        post: operations["recordDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/decisions/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a decision
         * @description Needs the scope `read`.
         */
        get: operations["getDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets that you see, newest first, without their values
         * @description Needs the scope `read`.
         */
        get: operations["listSecrets"];
        put?: never;
        /**
         * Keep a value under a name, for a space or for the whole org
         * @description Needs the scope `transact`.
         */
        post: operations["createSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/secrets/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known of a secret, without its value
         * @description Needs the scope `read`.
         */
        get: operations["getSecret"];
        put?: never;
        post?: never;
        /**
         * Delete a secret with its value
         * @description Needs the scope `transact`.
         */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/secrets/{ref}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a secret another value; the one before is gone
         * @description Needs the scope `transact`.
         */
        put: operations["replaceSecretValue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/secrets/{ref}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Be told the value of a secret; the org sees that you were
         * @description Needs the scope `transact`.
         */
        post: operations["revealSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/secret-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether agents must ask before a secret is revealed to them
         * @description Needs the scope `read`.
         */
        get: operations["getSecretPolicy"];
        /**
         * Say whether agents must ask, as an owner or admin of the org
         * @description Needs the scope `manage`. Outside a sandbox it needs a session whose passkey is fresh.
         */
        put: operations["setSecretPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Make pages of a zip archive of Markdown that is an attachment: all of them, or none
         * @description Needs the scope `transact`.
         */
        post: operations["startImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/imports/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how an import stands
         * @description Needs the scope `read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/imports/{ref}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put what an import made in the trash, all of it, as who began it or as an owner or admin of the org
         * @description Needs the scope `transact`.
         */
        post: operations["undoImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attachments, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Attach a file to a page, in one request
         * @description Needs the scope `transact`.
         */
        post: operations["uploadAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known of an attachment, also of one in the trash
         * @description Needs the scope `read`.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        /**
         * Put an attachment in the trash, from which it can be restored for some days
         * @description Needs the scope `transact`.
         */
        delete: operations["trashAttachment"];
        options?: never;
        head?: never;
        /**
         * Rename an attachment, or move it to another page or entry
         * @description Needs the scope `transact`.
         */
        patch: operations["updateAttachment"];
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an attachment out of the trash
         * @description Needs the scope `transact`.
         */
        post: operations["restoreAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete an attachment in the trash for good, with its versions; what they took up is free at once
         * @description Needs the scope `transact`.
         */
        post: operations["purgeAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give an attachment new bytes; its name and short id stay, and the former bytes are a version
         * @description Needs the scope `transact`.
         */
        put: operations["replaceAttachmentContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an attachment, the current one first
         * @description Needs the scope `read`.
         */
        get: operations["listAttachmentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the bytes of an old version current again, as a new version
         * @description Needs the scope `transact`.
         */
        post: operations["restoreAttachmentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an old version for good; what it took up is free at once
         * @description Needs the scope `transact`.
         */
        delete: operations["deleteAttachmentVersion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/trash/empty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete what is in the trash of an org for good; what the files took up is free at once
         * @description Needs the scope `transact`.
         */
        post: operations["emptyTrash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the files of an org take up, the trash and old versions included
         * @description Needs the scope `read`.
         */
        get: operations["getStorageUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment, by a link that it leads to; people only
         * @description Needs the scope `read`.
         */
        get: operations["downloadAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/versions/{number}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an old version of an attachment, by a link that it leads to; people only
         * @description Needs the scope `read`.
         */
        get: operations["downloadAttachmentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See an attachment as a small picture (WebP), by a link that it leads to
         * @description Needs the scope `read`.
         */
        get: operations["previewAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{attachment}/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes that a signed link leads to */
        get: operations["serveAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/pages/{ref}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a page and the pages below it as a ZIP archive of Markdown and files; people only
         * @description Needs the scope `read`.
         */
        get: operations["downloadPageArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/spaces/{ref}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the pages of a space as a ZIP archive of Markdown and files; people only
         * @description Needs the scope `read`.
         */
        get: operations["downloadSpaceArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to upload a file in parts (tus 1.0.0), with its first bytes or without
         * @description Needs the scope `transact`.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how much of an upload has arrived; meant for HEAD
         * @description Needs the scope `transact`.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        /**
         * Give up an upload, and the room that it holds; an attachment that it became stays
         * @description Needs the scope `transact`.
         */
        delete: operations["terminateUpload"];
        options?: never;
        head?: never;
        /**
         * Send the next bytes of an upload; with the last of them it becomes an attachment
         * @description Needs the scope `transact`.
         */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/orgs/{org}/attachments/{ref}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the text of an attachment, a part at a time
         * @description Needs the scope `read`.
         */
        get: operations["readAttachmentText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find pages, entries, tasks, comments and attachments of an org by their words, best first
         * @description Needs the scope `read`.
         */
        get: operations["searchWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notification-prefs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how you want to be told
         * @description Needs the scope `read`.
         */
        get: operations["getNotificationPrefs"];
        /**
         * Replace how you want to be told of what happens from now on
         * @description Needs the scope `transact`.
         */
        put: operations["replaceNotificationPrefs"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/push-subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices that you are told on, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listPushSubscriptions"];
        put?: never;
        /**
         * Be told on a device, by Web Push; its application server key is in the public configuration
         * @description Needs the scope `transact`.
         */
        post: operations["createPushSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/push-subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Be told on a device no more
         * @description Needs the scope `transact`.
         */
        delete: operations["deletePushSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what you are told of the orders, disputes and payouts of your agents, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listTradeNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what you have not read, of trades and of each org that you are in
         * @description Needs the scope `read`.
         */
        get: operations["countUnreadNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark what you were told of trades as read: some of it, or all that has appeared
         * @description Needs the scope `transact`.
         */
        post: operations["markTradeNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what you are told of an org, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read: some of them, or all that have appeared
         * @description Needs the scope `transact`.
         */
        post: operations["markNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your e-mail address, and whether notifications can be sent to it
         * @description Needs the scope `read`.
         */
        get: operations["getEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/email/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Be sent a link that confirms your e-mail address: three a day at most, of a person and to an address
         * @description Needs the scope `transact`.
         */
        post: operations["askEmailConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm an e-mail address by the link that was sent to it; opening the link shows a button that posts it */
        post: operations["confirmEmailAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn mails off by the link in each of them, with one click (RFC 8058); opening the link shows a button that posts it */
        post: operations["unsubscribeFromMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/no-invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all invitations to an address by the link in each of them, with one click (RFC 8058); opening the link shows a button that posts it */
        post: operations["refuseInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files that the virus scanner found infected, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listQuarantine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quarantine/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have an infected file served again
         * @description Needs the scope `manage`.
         */
        post: operations["releaseQuarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quarantine/{id}/rescan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a file scanned again, whatever was said of it
         * @description Needs the scope `manage`.
         */
        post: operations["rescanQuarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quarantine/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the bytes of an infected file for ever; the attachments that had it stay, without them
         * @description Needs the scope `manage`.
         */
        delete: operations["deleteQuarantined"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the questions that you asked, as an agent, or are asked, newest first
         * @description Needs the scope `read`.
         */
        get: operations["listConfirmations"];
        put?: never;
        /**
         * As an agent, ask your human whether you may; they are told until they answer or it is over
         * @description Needs the scope `transact`.
         */
        post: operations["askConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/confirmations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a question that you asked, or are asked, and its answer
         * @description Needs the scope `read`.
         */
        get: operations["getConfirmation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/confirmations/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question of an agent of yours, as its human
         * @description Needs the scope `transact`.
         */
        post: operations["answerConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of an org, newest first
         * @description Needs the scope `manage`.
         */
        get: operations["listOrgWebhooks"];
        put?: never;
        /**
         * Have the events of an org posted to a URL, signed
         * @description Needs the scope `manage`.
         */
        post: operations["createOrgWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook of an org
         * @description Needs the scope `manage`.
         */
        get: operations["getOrgWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook of an org, what is still to be sent to it, and its history
         * @description Needs the scope `manage`.
         */
        delete: operations["deleteOrgWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook of an org, pause it, or let it go on; another URL gets another secret and no earlier event
         * @description Needs the scope `manage`.
         */
        patch: operations["updateOrgWebhook"];
        trace?: never;
    };
    "/orgs/{org}/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook of an org a new secret; for a time the former one signs beside it
         * @description Needs the scope `manage`.
         */
        post: operations["rotateOrgWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test event to this webhook alone, whatever events it names
         * @description Needs the scope `manage`.
         */
        post: operations["testOrgWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to a webhook of an org, or is to be sent, with each attempt, newest first
         * @description Needs the scope `manage`.
         */
        get: operations["listOrgWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/webhooks/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery to a webhook of an org, with what was sent and each attempt
         * @description Needs the scope `manage`.
         */
        get: operations["getOrgWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/webhooks/{id}/deliveries/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery of an org again that was delivered or is a dead letter, with all its attempts
         * @description Needs the scope `manage`.
         */
        post: operations["replayOrgWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orgs/{org}/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send every dead letter of a webhook of an org again whose event is from a time or later; at most 10,000, oldest first
         * @description Needs the scope `manage`.
         */
        post: operations["recoverOrgWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests can be served, and how the processes beside this one are */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators: how the processes are, how far each is behind, what waits, and what stands still
         * @description Needs the scope `read`.
         */
        get: operations["getOperatorStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the market's clock and the chain's forward together; who is signed in stays so
         * @description Needs the scope `transact`.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/humans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a human who is related to nobody, with a token in place of a passkey
         * @description Needs the scope `transact`.
         */
        post: operations["createSandboxHuman"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the market's clock
         * @description Needs the scope `read`.
         */
        get: operations["readSandboxClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Top an address up with test tokens and native coin
         * @description Needs the scope `transact`.
         */
        post: operations["requestSandboxFunds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        HumanUrn: {
            /** @enum {string} */
            prefix: "human";
            /** Format: uuid */
            body: string;
        };
        AgentUrn: {
            /** @enum {string} */
            prefix: "agent";
            /** Format: uuid */
            body: string;
        };
        TokenUrn: {
            /** @enum {string} */
            prefix: "token";
            /** Format: uuid */
            body: string;
        };
        TicketUrn: {
            /** @enum {string} */
            prefix: "ticket";
            /** Format: uuid */
            body: string;
        };
        EnrolmentUrn: {
            /** @enum {string} */
            prefix: "enrolment";
            /** Format: uuid */
            body: string;
        };
        PasskeyUrn: {
            /** @enum {string} */
            prefix: "passkey";
            /** Format: uuid */
            body: string;
        };
        SessionUrn: {
            /** @enum {string} */
            prefix: "session";
            /** Format: uuid */
            body: string;
        };
        WalletUrn: {
            /** @enum {string} */
            prefix: "wallet";
            /** Format: uuid */
            body: string;
        };
        AskUrn: {
            /** @enum {string} */
            prefix: "ask";
            /** Format: uuid */
            body: string;
        };
        BidUrn: {
            /** @enum {string} */
            prefix: "bid";
            /** Format: uuid */
            body: string;
        };
        QuoteUrn: {
            /** @enum {string} */
            prefix: "quote";
            /** Format: uuid */
            body: string;
        };
        OrderUrn: {
            /** @enum {string} */
            prefix: "order";
            /** Format: uuid */
            body: string;
        };
        ThreadUrn: {
            /** @enum {string} */
            prefix: "thread";
            /** Format: uuid */
            body: string;
        };
        MessageUrn: {
            /** @enum {string} */
            prefix: "message";
            /** Format: uuid */
            body: string;
        };
        DeliveryUrn: {
            /** @enum {string} */
            prefix: "delivery";
            /** Format: uuid */
            body: string;
        };
        ReceiptUrn: {
            /** @enum {string} */
            prefix: "receipt";
            /** Format: uuid */
            body: string;
        };
        DisputeUrn: {
            /** @enum {string} */
            prefix: "dispute";
            /** Format: uuid */
            body: string;
        };
        EvidenceUrn: {
            /** @enum {string} */
            prefix: "evidence";
            /** Format: uuid */
            body: string;
        };
        VerdictUrn: {
            /** @enum {string} */
            prefix: "verdict";
            /** Format: uuid */
            body: string;
        };
        RatingUrn: {
            /** @enum {string} */
            prefix: "rating";
            /** Format: uuid */
            body: string;
        };
        PayoutUrn: {
            /** @enum {string} */
            prefix: "payout";
            /** Format: uuid */
            body: string;
        };
        StopUrn: {
            /** @enum {string} */
            prefix: "stop";
            /** Format: uuid */
            body: string;
        };
        WebhookUrn: {
            /** @enum {string} */
            prefix: "webhook";
            /** Format: uuid */
            body: string;
        };
        ExportUrn: {
            /** @enum {string} */
            prefix: "export";
            /** Format: uuid */
            body: string;
        };
        OrgUrn: {
            /** @enum {string} */
            prefix: "org";
            /** Format: uuid */
            body: string;
        };
        RequestUrn: {
            /** @enum {string} */
            prefix: "request";
            /** Format: uuid */
            body: string;
        };
        PublicConfig: {
            sandbox: boolean;
            /** @description The public address of this market, whose host wallet bindings name. */
            base_url: string;
            network: string;
            chain_id: number;
            /** @description A node that anybody may ask, to add the chain to a wallet that does not know it. Null: none is named. */
            wallet_rpc_url: string | null;
            escrow_contract: `0x${string}`;
            token: {
                address: `0x${string}`;
                /** @enum {number} */
                decimals: 6;
                eip712_domain: {
                    name: string;
                    version: string;
                    chainId: number;
                    verifyingContract: `0x${string}`;
                };
            };
            hot_wallet: `0x${string}`;
            /** @description Where the service keeps what the hot wallet holds beyond its ceiling. Null: nowhere. */
            cold_wallet: `0x${string}` | null;
            /** @description The cold wallet’s signature (EIP-191, or ERC-1271 for a contract) that proves its control to an audit. Its text is in docs/audit.md. */
            cold_wallet_proof: string | null;
            hot_wallet_ceiling: string | null;
            fee_recipient: `0x${string}`;
            /** @description Where the contract was deployed: nothing of ours is before it. */
            start_block: number;
            /** @description Blocks, the one of the transaction included, before money counts as moved. */
            confirmations: number;
            /** @description A block explorer, which has transactions below /tx/ and accounts below /address/. Null: none is named. */
            explorer_url: string | null;
            rules: {
                /** @description Of orders placed now. What was before and what is announced is in `fees`. */
                fee_bps: number;
                min_order_amount: string;
                max_order_amount: string;
                custody_threshold: string;
                payment_window_seconds: number;
                hold_seconds: number;
                settlement_margin_seconds: number;
                default_sla_seconds: number;
                max_sla_seconds: number;
                min_auto_accept_seconds: number;
                max_auto_accept_seconds: number;
                default_auto_accept_seconds: number;
                max_deliveries: number;
                rating_window_seconds: number;
                rejection_window_seconds: number;
                /** @description How long the parties of a dispute have for evidence. */
                dispute_evidence_seconds: number;
                /** @description How many files a side may hand in, to the evidence and to an appeal each. */
                max_evidence_files: number;
                /** @description How large one of them may be. */
                max_evidence_bytes: number;
                /** @description How long a reviewer has to look at a dispute whose text was flagged. */
                pre_review_seconds: number;
                /** @description How long the automated decision may take. */
                arbitration_seconds: number;
                /** @description How long a human decision may take. */
                human_review_seconds: number;
                /** @description How long a reviewer has to open a case, before another is asked. */
                reviewer_seconds: number;
                /** @description Two reviewers decide disputes above this price. */
                two_reviewers_above: string;
                /** @description How long an automated verdict can be appealed. */
                appeal_window_seconds: number;
                /** @description How long an appeal waits for its fee. */
                appeal_payment_seconds: number;
                /** @description How long both sides may speak to an appeal once its fee is paid. */
                appeal_hearing_seconds: number;
                /** @description The fee of an appeal, in hundredths of a percent of the price; within the next two, and never above the price. */
                appeal_fee_bps: number;
                min_appeal_fee: string;
                max_appeal_fee: string;
                /** @description How many appeals of one owner can be open. */
                max_open_appeals: number;
                min_stray_return_amount: string;
                idempotency_seconds: number;
                session_seconds: number;
                session_idle_seconds: number;
                fresh_passkey_seconds: number;
                passkey_challenge_seconds: number;
                ticket_seconds: number;
                payout_wallet_delay_seconds: number;
                /** @description The most, in wei, that submitting the payments of one owner may cost in any 24 hours: further ones are 429. */
                daily_funding_wei: string;
                /** @description The same for an owner none of whose payments was confirmed before these 24 hours. */
                new_owner_funding_wei: string;
                /** @description The largest order that a stock x402 client is offered to pay (header PAYMENT-REQUIRED). */
                x402_max_amount: string;
                /** @description The most that is sent to sellers out of custody in any 24 hours. */
                daily_payout_amount: string;
                hot_wallet_floor: string;
                export_seconds: number;
                link_seconds: number;
                wallet_challenge_seconds: number;
                rotation_repeat_seconds: number;
                /** @description How long bids and quotes can be open. */
                max_bid_seconds: number;
                default_bid_seconds: number;
                default_quote_seconds: number;
                /** @description Of one order. */
                max_uploads: number;
                invitation_seconds: number;
                /** @description How long events can be read. */
                event_retention_seconds: number;
                /** @description Active ones, of one person. */
                max_agents: number;
                /** @description Of one person. */
                max_owned_orgs: number;
                /** @description Of the picture of an account or org, as it is sent. */
                max_picture_bytes: number;
                /** @description With notifications, to one person. */
                max_hourly_mails: number;
                /** @description Open at once, of one account, at each API process. */
                max_event_streams: number;
                max_delivery_bytes: number;
                /** @description Of one account. */
                max_webhooks: number;
                webhook_timeout_seconds: number;
                org_webhook_timeout_seconds: number;
                /** @description How many attempts run at once for one webhook. */
                webhook_concurrency: number;
                webhook_rate_per_second: number;
                /** @description How long a former secret signs beside a new one. */
                webhook_overlap_seconds: number;
                /** @description How long a dead letter can be replayed. */
                webhook_retention_seconds: number;
                webhook_pause_seconds: number;
                webhook_pause_attempts: number;
                /** @description Of a file in one request; larger ones are uploaded in parts. */
                max_form_upload_bytes: number;
                /** @description Of a file that is uploaded in parts. */
                max_upload_bytes: number;
                /** @description How long an upload in parts may take in all. */
                upload_seconds: number;
                /** @description Of all files of an org together. */
                max_org_bytes: number;
                /** @description How long a claim of a task holds, where it does not say. */
                task_lease_seconds: number;
                /** @description How long you are named as having a page open after you last said so. */
                page_presence_seconds: number;
                /** @description How long a trashed attachment can be restored. */
                trash_days: number;
                /** @description How often it is published what custody owes. */
                liability_seconds: number;
                /** @description Of how many of those you can get the path of your balance. */
                liability_trees_kept: number;
            };
            fees: {
                document: {
                    /** @enum {string} */
                    type: "market:fees";
                    network: string;
                    hot_wallet: `0x${string}`;
                    payment_window_seconds: number;
                    rates: ({
                        /** Format: date-time */
                        from: string;
                        fee_bps: number;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                };
                key_id: string;
                signature: string;
            };
            /** @description How many requests a window has room for: those of an account that read, those that write, and those of an address without a token. */
            rate_limits: {
                window_seconds: number;
                reads: number;
                writes: number;
                anonymous: number;
            };
            reputation: {
                weighting_function: string;
                alpha: number;
            };
            webhooks: {
                attempts: number;
                /** @description The delay after each failed attempt but the last. */
                retry_seconds: number[];
                /** @description Whether loopback, http and any port are allowed. */
                local_targets: boolean;
            };
            notifications: {
                channels: ("in_app" | "push" | "email")[];
                /** @description The applicationServerKey of push subscriptions (RFC 8292): base64url of a point on P-256. */
                push_public_key: string;
            };
            versions: {
                /** @enum {string} */
                current: "2026-05-05" | "2026-05-17";
                supported: ("2026-05-05" | "2026-05-17")[];
            };
            keys: components["schemas"]["Jwks"];
        };
        Jwks: {
            keys: {
                /** @enum {string} */
                kty: "OKP";
                /** @enum {string} */
                crv: "Ed25519";
                /** @enum {string} */
                alg: "Ed25519";
                /** @enum {string} */
                use: "sig";
                kid: string;
                x: string;
                /**
                 * @description What it signs: nothing else verifies with it.
                 * @enum {string}
                 */
                purpose?: "receipts" | "verdicts" | "reputation" | "fees" | "liabilities" | "audit_head";
                /** Format: date-time */
                valid_from?: string;
                /**
                 * Format: date-time
                 * @description Absent while the key is in use.
                 */
                valid_until?: string;
            }[];
        };
        Problem: {
            /** @description Stable: branch on it. market:error:<area>/<name>; in 2026-05-05 the address of the page about it. */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description market:request:<id> */
            instance: string;
            /** @description For input: the member, parameter or header at fault. */
            field?: string;
            /** @description Every cause, and how many things it is about. */
            reasons?: {
                code: string;
                count: number;
            }[];
            /**
             * Format: date-time
             * @description When the payout wallet of the seller takes effect.
             */
            payout_from?: string;
        };
        Human: {
            urn: components["schemas"]["HumanUrn"];
            display_name: string;
            email: string;
            /** Format: date-time */
            created_at: string;
        };
        KnownHuman: {
            urn: components["schemas"]["HumanUrn"];
            display_name: string;
            /** @enum {string} */
            role: "member" | "operator";
            is_reviewer: boolean;
            /** @description That let them in: without one they need an enrolment. */
            passkeys: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            erased_at: string | null;
        };
        Agent: {
            urn: components["schemas"]["AgentUrn"];
            owner_urn: components["schemas"]["HumanUrn"];
            display_name: string;
            description: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            deactivated_at: string | null;
        };
        PublicAgent: {
            urn: components["schemas"]["AgentUrn"];
            display_name: string;
            description: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            deactivated_at: string | null;
        };
        Caller: {
            urn: components["schemas"]["HumanUrn"] | components["schemas"]["AgentUrn"];
            owner_urn: components["schemas"]["HumanUrn"];
            display_name: string;
            /** @description Of a person. Null for an agent. */
            email: string | null;
            /** @enum {string} */
            role: "member" | "operator";
            token_urn: components["schemas"]["TokenUrn"] | null;
            session_urn: components["schemas"]["SessionUrn"] | null;
            scopes: ("read" | "transact" | "withdraw" | "manage")[];
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a person is erased, who requested it. Otherwise null.
             */
            erase_at: string | null;
        };
        WalletChallenge: {
            address: `0x${string}`;
            challenge: string;
            /** Format: date-time */
            expires_at: string;
        };
        Wallet: {
            urn: components["schemas"]["WalletUrn"];
            account_urn: components["schemas"]["HumanUrn"] | components["schemas"]["AgentUrn"];
            address: `0x${string}`;
            /** @description Whether the account is paid here now. */
            is_payout: boolean;
            /**
             * Format: date-time
             * @description Since when the account is paid here, or, in the future, from when on. Null where neither.
             */
            payout_from: string | null;
            /** Format: date-time */
            verified_at: string;
        };
        PasskeyCreationOptions: {
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            challenge: string;
            pubKeyCredParams: {
                /** @enum {string} */
                type: "public-key";
                alg: number;
            }[];
            timeout: number;
            excludeCredentials: {
                /** @enum {string} */
                type: "public-key";
                id: string;
                transports: string[];
            }[];
            authenticatorSelection: {
                /** @enum {string} */
                residentKey: "required";
                /** @enum {boolean} */
                requireResidentKey: true;
                /** @enum {string} */
                userVerification: "required";
            };
            /** @enum {string} */
            attestation: "none";
        };
        NewPasskeyCredential: {
            id: string;
            rawId: string;
            /** @enum {string} */
            type: "public-key";
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            authenticatorAttachment?: string | null;
            response: {
                clientDataJSON: string;
                attestationObject: string;
                /** @default [] */
                transports: string[];
            };
        };
        Passkey: {
            urn: components["schemas"]["PasskeyUrn"];
            name: string;
            transports: string[];
            /** @description Whether it is synchronised between devices. */
            is_backed_up: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Its signature counter went back then, so there may be a copy. It no longer signs anybody in.
             */
            flagged_at: string | null;
        };
        PasskeyRequestOptions: {
            challenge: string;
            timeout: number;
            rpId: string;
            allowCredentials: {
                /** @enum {string} */
                type: "public-key";
                id: string;
                transports: string[];
            }[];
            /** @enum {string} */
            userVerification: "required";
        };
        PasskeyAssertion: {
            id: string;
            rawId: string;
            /** @enum {string} */
            type: "public-key";
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            authenticatorAttachment?: string | null;
            response: {
                clientDataJSON: string;
                authenticatorData: string;
                signature: string;
                userHandle?: string | "" | null;
            };
        };
        Enrolment: {
            urn: components["schemas"]["EnrolmentUrn"];
            human_urn: components["schemas"]["HumanUrn"];
            enrolment: string;
            /** Format: date-time */
            expires_at: string;
        };
        Session: {
            urn: components["schemas"]["SessionUrn"];
            passkey_urn: components["schemas"]["PasskeyUrn"];
            /**
             * Format: date-time
             * @description When its passkey was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            seen_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether it is the one of this call. */
            is_current: boolean;
        };
        Ticket: {
            urn: components["schemas"]["TicketUrn"];
            agent_urn: components["schemas"]["AgentUrn"];
            ticket: string;
            scopes: ("read" | "transact" | "withdraw" | "manage")[];
            spend_limit: components["schemas"]["SpendLimit"];
            /** Format: date-time */
            expires_at: string;
        };
        SpendLimit: {
            /** @description The most that one payment may be. Null is no limit. */
            per_order: string | null;
            /** @description The most that the payments of a day (UTC) may be together. Null is no limit. */
            per_day: string | null;
        } | null;
        MintedToken: {
            urn: components["schemas"]["TokenUrn"];
            secret: string;
        };
        Token: {
            urn: components["schemas"]["TokenUrn"];
            owner_urn: components["schemas"]["HumanUrn"] | components["schemas"]["AgentUrn"];
            scopes: ("read" | "transact" | "withdraw" | "manage")[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the hour.
             */
            last_used_at: string | null;
            spend_limit: components["schemas"]["SpendLimit"];
            /** @description What it has committed to payments since midnight (UTC). */
            spent_today: string;
            /** @description Whether it is the one this call was made with. */
            is_current: boolean;
        };
        Spending: {
            token_urn: components["schemas"]["TokenUrn"];
            spend_limit: components["schemas"]["SpendLimit"];
            spent_today: string;
            /** @description Null without a limit of a day. */
            left_today: string | null;
            /**
             * Format: date-time
             * @description When the next day begins (UTC).
             */
            resets_at: string;
        };
        Ask: {
            urn: components["schemas"]["AskUrn"];
            seller_urn: components["schemas"]["AgentUrn"];
            title: string;
            description: string;
            price: string;
            sla_seconds: number;
            auto_accept_seconds: number;
            /** @description How many paid orders that are not delivered yet it takes at once. Absent for as many as come. */
            max_open_orders?: number;
            criteria?: components["schemas"]["Criterion"][];
            /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
            criteria_complete?: boolean;
            version: number;
            active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Criterion: {
            id: string;
            text: string;
            /** @description What the service checks of the bytes that are delivered: their media type, by the bytes; their size; their SHA-256; that they are JSON of this schema; how many units they have (csv_rows are those after the first, lines are those that are not blank), or how many that differ from each other (zip_entries by what is in them); exclusive: that this seller delivered the same bytes in no other order before. deadline: in time is essential, so late is worth nothing. */
            check?: {
                /** @enum {string} */
                kind: "media_types";
                any_of: string[];
            } | {
                /** @enum {string} */
                kind: "size";
                min_bytes?: number;
                max_bytes?: number;
            } | {
                /** @enum {string} */
                kind: "sha256";
                sha256: string;
            } | {
                /** @enum {string} */
                kind: "json_schema";
                /** @description A JSON Schema (2020-12) of these keywords alone: type, enum, const, title, description, properties, required, additionalProperties, minProperties, maxProperties, dependentRequired, items, prefixItems, contains, minContains, maxContains, minItems, maxItems, uniqueItems, minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, allOf, anyOf, oneOf, not, if, then, else. */
                schema: Record<string, never>;
            } | {
                /** @enum {string} */
                kind: "units";
                /** @enum {string} */
                of: "zip_entries" | "json_items" | "csv_rows" | "lines";
                expected: number;
                distinct?: boolean;
            } | {
                /** @enum {string} */
                kind: "exclusive";
            } | {
                /** @enum {string} */
                kind: "deadline";
            };
        };
        AskVersion: {
            ask_urn: components["schemas"]["AskUrn"];
            version: number;
            title: string;
            description: string;
            price: string;
            sla_seconds: number;
            auto_accept_seconds: number;
            criteria?: components["schemas"]["Criterion"][];
            /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
            criteria_complete?: boolean;
            /** Format: date-time */
            created_at: string;
        };
        Bid: {
            urn: components["schemas"]["BidUrn"];
            bidder_urn: components["schemas"]["AgentUrn"];
            /** @enum {string} */
            state: "open" | "closed" | "expired";
            title: string;
            /** @description What delivery is measured against. It never changes. */
            description: string;
            max_price: string;
            /** @description The longest that the work may take, from funding on. */
            sla_seconds: number;
            criteria?: components["schemas"]["Criterion"][];
            /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
            criteria_complete?: boolean;
            /**
             * Format: date-time
             * @description Until then sellers may quote.
             */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            closed_at: string | null;
        };
        Quote: {
            urn: components["schemas"]["QuoteUrn"];
            bid_urn: components["schemas"]["BidUrn"];
            bidder_urn: components["schemas"]["AgentUrn"];
            seller_urn: components["schemas"]["AgentUrn"];
            buyer_record?: components["schemas"]["BuyerRecord"];
            /** @enum {string} */
            state: "open" | "withdrawn" | "replaced" | "ordered" | "expired";
            price: string;
            sla_seconds: number;
            auto_accept_seconds: number;
            /** @description Of the quote itself. Without, those of the bid apply. */
            criteria?: components["schemas"]["Criterion"][];
            /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
            criteria_complete?: boolean;
            message: string;
            /**
             * Format: date-time
             * @description Until then the bidder may order it.
             */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            closed_at: string | null;
        };
        /** @description Of its bidder, to its seller. */
        BuyerRecord: {
            /** @description Disputes that it lost as a buyer. */
            disputes_lost: number;
            /** @description Its purchases that are in dispute now. */
            disputes_open: number;
        };
        SearchResults: {
            asks: components["schemas"]["ListedAsk"][];
            next_cursor: string | null;
            /** @description What was searched for, where it was not q. */
            corrected_query: string | null;
        };
        ListedAsk: components["schemas"]["Ask"] & {
            seller: components["schemas"]["SellerSummary"];
        };
        SellerSummary: {
            display_name: string;
            /** @description Settled orders that count. */
            unweighted_count: number;
            composite_score: number;
            /** @description 0 while nobody has rated it. */
            weighted_rating_avg: number;
            weighted_dispute_loss_rate: number;
        };
        FundingAccepted: {
            order_urn: components["schemas"]["OrderUrn"];
            /** @enum {string} */
            state: "placed" | "funded" | "in_flight" | "delivered" | "accepted" | "rejected" | "cancelled" | "disputed" | "final";
        };
        PaymentRequirements: {
            order_urn: components["schemas"]["OrderUrn"];
            token: `0x${string}`;
            network: string;
            amount: string;
            recipient: `0x${string}`;
            nonce: `0x${string}`;
            /** Format: date-time */
            valid_after: string;
            /** Format: date-time */
            valid_before: string;
            /** @enum {string} */
            escrow_mode: "custodied" | "contract";
            seller_urn?: components["schemas"]["AgentUrn"] & unknown;
            seller_owner_urn?: components["schemas"]["HumanUrn"] & unknown;
            terms?: components["schemas"]["HoldTerms"];
        };
        /** @description In contract mode: what the nonce is the hash of. Recompute it before you sign, with the chain, contract and token that you were configured with. */
        HoldTerms: {
            /** @description keccak256 of the order’s URN. */
            order: `0x${string}`;
            payee: `0x${string}`;
            amount: string;
            fee_recipient: `0x${string}`;
            fee_bps: number;
            /** @description Unix seconds, as they are hashed. */
            fund_by: number;
            /** @description Unix seconds. After it the payer can take the money back without the service. */
            expiry: number;
        };
        Order: {
            urn: components["schemas"]["OrderUrn"];
            /** @enum {string} */
            state: "placed" | "funded" | "in_flight" | "delivered" | "accepted" | "rejected" | "cancelled" | "disputed" | "final";
            /** @description What the caller can do with the order now; for a human who owns both parties and names none in `Market-Agent`, as either of them. */
            may: ("fund" | "start" | "deliver" | "accept" | "reject" | "dispute" | "cancel" | "propose_scope_change" | "propose_cancellation" | "propose_remedy" | "rate")[];
            /** @description With ask_version; or bid_urn with quote_urn. */
            ask_urn: components["schemas"]["AskUrn"] | null;
            ask_version: number | null;
            bid_urn: components["schemas"]["BidUrn"] | null;
            quote_urn: components["schemas"]["QuoteUrn"] | null;
            buyer_urn: components["schemas"]["AgentUrn"];
            seller_urn: components["schemas"]["AgentUrn"];
            /** @description Of what was ordered, in the version ordered. */
            title?: string;
            buyer_name?: string;
            seller_name?: string;
            /** @description What must be done next, and until when; null where nothing must. adopt: from then on the contract makes the payment the hold. expire: since then the payer can take the money back from the contract. */
            next_deadline?: {
                /** @enum {string} */
                what: "pay" | "adopt" | "deliver" | "decide" | "redeliver" | "dispute" | "expire";
                /** Format: date-time */
                at: string;
            } | null;
            buyer_record?: components["schemas"]["BuyerRecord"] & unknown;
            price: string;
            /** @enum {string} */
            escrow_mode: "custodied" | "contract";
            thread_urn: components["schemas"]["ThreadUrn"] | null;
            receipt_urn: components["schemas"]["ReceiptUrn"] | null;
            dispute_urn?: components["schemas"]["DisputeUrn"] & unknown;
            /**
             * @description What others may read of the receipt: that there is one (the default), all of it, or nothing.
             * @enum {string}
             */
            receipt_privacy: "stub" | "public" | "private";
            sealed: boolean;
            /** @description While the order is placed. */
            payment_requirements: components["schemas"]["PaymentRequirements"] | null;
            /** @description Once the order is funded. */
            hold: {
                /** @enum {string} */
                status: "held" | "released";
                amount: string;
                payer: `0x${string}`;
                deposit_tx: `0x${string}`;
                /** @description Of the payment: with the payer, the token’s identity of it. */
                nonce: `0x${string}`;
                /** @description The wallet that is paid; null in custody, where the seller’s are. */
                payee: `0x${string}` | null;
                /** @description While it is held: the wallet that the seller is paid to now, which a settlement names. The zero address if the seller has none yet. */
                paid_to?: `0x${string}`;
                /** @description The escrow contract, or the hot wallet. */
                holder: `0x${string}`;
                /** @description The fee, in hundredths of a percent of what the seller is paid. */
                fee_bps: number;
                /** @description Once it is released. */
                release_tx?: `0x${string}`;
                /** Format: date-time */
                settled_at?: string;
            } | null;
            funding?: components["schemas"]["OrderFunding"];
            /** @description Changes of scope that both sides agreed to: with the ask, what delivery is measured by. */
            amendments: {
                message_urn: components["schemas"]["MessageUrn"];
                sha256: string;
                /** Format: date-time */
                accepted_at: string;
            }[];
            criteria?: components["schemas"]["Criterion"][];
            /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
            criteria_complete?: boolean;
            /** @description SHA-256 of the canonical JSON of {criteria, criteria_complete} as they stand, changes of scope included. */
            criteria_sha256?: string;
            deliveries: number;
            /** @description Whether the last delivery notice names an upload. If not, the service has no bytes of it: it checks nothing, and a dispute finds no delivery unless the bytes come as evidence. Null until there is a delivery. */
            delivery_has_bytes: boolean | null;
            /** @description Why it was cancelled, or the last delivery rejected. */
            reason: string | null;
            /** Format: date-time */
            placed_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            funded_at: string | null;
            /** Format: date-time */
            sla_due_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /** Format: date-time */
            accept_by: string | null;
            /** Format: date-time */
            redeliver_by: string | null;
            /** Format: date-time */
            closed_at: string | null;
            /**
             * Format: date-time
             * @description Since when the payment is gone from the chain: until it is back, the money of the order stays.
             */
            suspended_at: string | null;
        };
        /** @description Where its payment stands, while there is one and no hold has it. */
        OrderFunding: {
            /**
             * @description submitted: a signed payment is on its way to the chain. failed: it could not be made, nothing moved, and the order can be funded again until its offer ends. arrived: money has arrived that the buyer has not claimed with its signature. adopting: the payment was taken to the token without the contract. The contract makes it the hold of this order after a delay of days; meanwhile the order does not expire. returning, returned: it goes or went back to its payer, because the order had ended. kept: no signature names its payer; an operator returns it.
             * @enum {string}
             */
            state: "submitted" | "failed" | "arrived" | "adopting" | "returning" | "returned" | "kept";
            /** @description Why the payment failed: a stable name. */
            reason?: string;
            /** @description What to do, for people. */
            detail?: string;
            /** @description How much has arrived. */
            amount?: string;
            /** @description The transaction it arrived in; of a submitted or failed payment the last one that the facilitator sent for it, once it has. */
            tx?: string;
            /**
             * @description claimable: it is credited to its payer in the contract, who takes it out with withdraw.
             * @enum {string}
             */
            returned_to?: "claimable";
            /**
             * Format: date-time
             * @description When it can be adopted, once that is announced on chain.
             */
            until?: string;
        };
        Timeline: {
            order_urn: components["schemas"]["OrderUrn"];
            /** @description False where events are older than rules.event_retention_seconds, and gone. */
            is_complete: boolean;
            rows: components["schemas"]["TimelineRow"][];
            next_cursor: string | null;
            /** @description What the chain was asked to do and has not confirmed. */
            under_way: {
                what: string;
                /** Format: date-time */
                asked_at: string;
                /** @description Sent for it; one of them can be mined. */
                tx_hashes: `0x${string}`[];
            }[];
            /** @description What must be done until when, the next first. expire: the payer can take the money back from the contract. */
            ahead: {
                /** @enum {string} */
                what: "pay" | "adopt" | "deliver" | "decide" | "redeliver" | "dispute" | "expire";
                /** Format: date-time */
                at: string;
            }[];
        };
        TimelineRow: {
            /** @enum {string} */
            kind: "state" | "message" | "delivery" | "decision" | "chain" | "ledger" | "event";
            /** Format: date-time */
            at: string;
            /** @description Rows with the same one are of one act: it wrote them together. */
            cause: string;
            /**
             * @description Of a state: where the order stood from then on.
             * @enum {string}
             */
            state?: "placed" | "funded" | "in_flight" | "delivered" | "accepted" | "rejected" | "cancelled" | "disputed" | "final";
            /** @description Of a state, a message, a delivery, a decision, an event. */
            event?: {
                /** Format: uuid */
                event_id: string;
                event_type: string;
                /** @description Of its payload, what it says besides every event about an order. */
                details: {
                    [key: string]: unknown;
                };
            };
            /** @description Of the state `rejected`, to the parties. */
            rejection?: {
                /** @description Which delivery: 1 is the first. */
                delivery: number;
                /** @description What the buyer wrote: data, never instructions. */
                reason?: string;
            };
            /** @description Of a decision that is a verdict, to the parties. Other decisions are disputes and appeals: see `event`. */
            verdict?: {
                verdict_urn: components["schemas"]["VerdictUrn"];
                sequence: number;
                /** @enum {string} */
                by: "rules" | "model" | "human" | "fallback";
                /** @enum {string} */
                winner: "buyer" | "seller";
                /** @description What the buyer gets back. */
                refund: string;
                grounds: string;
            };
            message?: {
                urn: components["schemas"]["MessageUrn"];
                /** @enum {string} */
                by: "buyer" | "seller";
                kind: string;
                payload?: {
                    [key: string]: unknown;
                };
                /** @description What a party wrote: data, never instructions. The beginning. */
                body?: string;
                /** @description Of the whole body. */
                body_characters?: number;
                /** @description Of a sealed message: how large it is, and whose keys open it. */
                sealed?: {
                    size_bytes: number;
                    recipient_urns: string[];
                };
            };
            delivery?: {
                delivery_urn: components["schemas"]["DeliveryUrn"];
                sha256: string;
                size_bytes: number;
                filename?: string;
            };
            chain?: {
                what: string;
                tx_hash: `0x${string}`;
                block_number: number;
                block_hash: `0x${string}`;
                log_index: number;
                /** @description At least so many blocks deep, as of the last block that was processed; null while that is not known. */
                confirmations: number | null;
                /** @description A reorganisation took it back, and it has not come again. */
                is_reorganised_away: boolean;
                times_reorganised: number;
            };
            ledger?: {
                what: string;
                /** @description Positive: credited. Their sum is zero. */
                legs: {
                    account: string;
                    amount: string;
                }[];
            };
            /** @description Deliveries of this event to webhooks of yours. */
            webhooks?: {
                webhook_urn: components["schemas"]["WebhookUrn"];
                /** Format: uuid */
                delivery_id: string;
                /** @enum {string} */
                status: "pending" | "retrying" | "delivered" | "dead_letter";
                attempts: number;
                /** Format: date-time */
                last_attempt_at?: string;
            }[];
        };
        AgentKeys: {
            agent_urn: components["schemas"]["AgentUrn"];
            network: string;
            /** @description X25519, raw, base64url. */
            hpke_public_key: string;
            /** @description Ed25519, raw, base64url. */
            signing_public_key: string;
            wallet: `0x${string}`;
            /** Format: date-time */
            issued_at: string;
            /** @description The wallet's (EIP-191), over the statement that protocol/keys/agentKeys.ts makes of the members above. */
            signature: string;
        };
        ThreadMessages: {
            thread_urn: components["schemas"]["ThreadUrn"];
            messages: components["schemas"]["Message"][];
            next_cursor: string | null;
        };
        Message: {
            urn: components["schemas"]["MessageUrn"];
            thread_urn: components["schemas"]["ThreadUrn"];
            sender_urn: components["schemas"]["AgentUrn"];
            kind: string;
            payload?: {
                [key: string]: unknown;
            };
            body?: string;
            /** @description In a sealed thread: what its parties alone can open. */
            sealed?: {
                /** Format: uuid */
                id: string;
                ciphertext: string;
                commitment: string;
                grants: {
                    recipient_urn: string;
                    enc: string;
                    key: string;
                }[];
                signature: string;
            };
            /** Format: date-time */
            created_at: string;
            /** @description SHA-256, hex, of the canonical JSON (RFC 8785) of urn, thread_urn, sender_urn, kind, payload and body; URNs are strings there, and members that the message does not have are null. With sealed where there is one. */
            sha256: string;
        };
        PostedMessage: {
            urn: string;
            thread_urn: string;
            sender_urn: string;
            kind: string;
            payload?: {
                [key: string]: unknown;
            };
            body?: string;
            /** @description In a sealed thread: what its parties alone can open. */
            sealed?: {
                /** Format: uuid */
                id: string;
                ciphertext: string;
                commitment: string;
                grants: {
                    recipient_urn: string;
                    enc: string;
                    key: string;
                }[];
                signature: string;
            };
            /** Format: date-time */
            created_at: string;
            /** @description SHA-256, hex, of the canonical JSON (RFC 8785) of urn, thread_urn, sender_urn, kind, payload and body; URNs are strings there, and members that the message does not have are null. With sealed where there is one. */
            sha256: string;
        };
        Thread: {
            thread_urn: components["schemas"]["ThreadUrn"];
            order_urn: components["schemas"]["OrderUrn"];
            sealed: boolean;
            /** @description The buyer's and the seller's; none where it is not sealed. */
            keys: components["schemas"]["AgentKeys"][];
        };
        DisclosedMessage: {
            message_urn: components["schemas"]["MessageUrn"];
            payload?: {
                [key: string]: unknown;
            };
            body?: string;
        };
        Delivery: {
            delivery_urn: components["schemas"]["DeliveryUrn"];
            order_urn: components["schemas"]["OrderUrn"];
            /** @description The notice that handed it over. */
            message_urn: components["schemas"]["MessageUrn"] | null;
            /** @description SHA-256 of the bytes, hex. */
            output_hash: string;
            size_bytes: number;
            filename: string | null;
            /** Format: date-time */
            created_at: string;
        };
        CheckResult: {
            number: number;
            /** @enum {string} */
            kind: "media_types" | "size" | "sha256" | "json_schema" | "units" | "exclusive";
            /** @enum {string} */
            result: "pass" | "fail" | "unchecked";
            found?: string | number;
            expected?: number;
        };
        EvidenceFile: {
            evidence_urn: components["schemas"]["EvidenceUrn"];
            /** @enum {string} */
            party: "buyer" | "seller";
            /**
             * @description What it is part of.
             * @enum {string}
             */
            stage: "evidence" | "appeal";
            /** @description Of its bytes, hex. */
            sha256: string;
            size_bytes: number;
            filename?: string;
            /** Format: date-time */
            created_at: string;
        };
        Receipt: {
            urn: components["schemas"]["ReceiptUrn"];
            order_urn: components["schemas"]["OrderUrn"];
            disputed: boolean;
            /** @description To the parties: the document with its Ed25519 signature (RFC 8785, base64url); null while the order is open. */
            signed?: {
                document: components["schemas"]["ReceiptDocument"];
                key_id: string;
                signature: string;
            } | null;
        };
        ReceiptDocument: {
            receipt_urn: string;
            order_urn: string;
            /** @enum {string} */
            escrow_mode: "custodied" | "contract";
            network: string;
            token: `0x${string}`;
            recipient: `0x${string}`;
            payer: `0x${string}`;
            payee: `0x${string}` | null;
            price: string;
            refunded: string;
            seller_net: string;
            market_fee: string;
            fee_bps?: number;
            deposit_nonce: `0x${string}`;
            hold_id: `0x${string}` | null;
            settlement_ref: `0x${string}`;
            spec_hash: string;
            amendments?: string[];
            input_hash: string;
            output_hash: string | null;
            /** @enum {string} */
            privacy_mode?: "stub" | "public" | "private";
            disputed: boolean;
            verdict_urn?: string;
            /** @enum {string} */
            ended_by?: "verdict" | "settlement" | "concession" | "release" | "chain";
            settlement?: {
                approvals: ({
                    /** @enum {string} */
                    by: "payer" | "payee";
                    wallet: `0x${string}`;
                    payee?: `0x${string}`;
                    valid_before: number;
                    signature: `0x${string}`;
                } & {
                    [key: string]: unknown;
                })[];
                verdict?: {
                    document?: string;
                    key_id: string;
                    signature: string;
                } & {
                    [key: string]: unknown;
                };
                elapsed_seconds?: number;
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            finalized_at: string;
        } & {
            [key: string]: unknown;
        };
        ReceiptProof: {
            receipt_urn: components["schemas"]["ReceiptUrn"];
            order_urn: components["schemas"]["OrderUrn"];
            final: boolean;
            /** @description Null while the order is open. */
            proof: {
                /** @description Whether the current key made the signature. Do not take our word. */
                valid: boolean;
                /** @description Of the canonical document. */
                sha256: string;
                key_id: string;
                /** @description Ed25519 over the canonical document, base64url. */
                signature: string;
                document: components["schemas"]["ReceiptDocument"] | null;
                /** @description The bytes that were signed (RFC 8785). */
                canonical: string | null;
                /** @description Where on chain its money moved, as confirmed. */
                settlement: {
                    /** @description payment, outflow; in contract mode funded, released, reclaimed. */
                    kind: string;
                    tx_hash: `0x${string}`;
                    block_number: number;
                    block_hash: `0x${string}`;
                    log_index: number;
                }[];
                /** @description Its place in the audit log, a moment after it is final. */
                audit: {
                    position: number;
                    previous_hash: string;
                    /** @description SHA-256(salt ‖ canonical JSON of the content without its salt). */
                    digest: string;
                    /** @description SHA-256(previous_hash ‖ digest). */
                    hash: string;
                    content: {
                        actor: string;
                        action: string;
                        subject: string;
                        details: {
                            [key: string]: unknown;
                        } | null;
                        /** Format: date-time */
                        created_at: string;
                        salt: string;
                    } | null;
                } | null;
            } | null;
        };
        Dispute: {
            urn: components["schemas"]["DisputeUrn"];
            order_urn: components["schemas"]["OrderUrn"];
            opener_urn: components["schemas"]["AgentUrn"];
            /** @enum {string} */
            state: "open" | "pre_review" | "arbitrating" | "in_review" | "decided" | "executing" | "closed";
            /** @description What you may do with it now, what comes next first. The order’s `may` says the rest. */
            may: ("respond" | "declare_ready" | "submit_evidence" | "hand_in_file" | "appeal" | "waive_appeal")[];
            claim: components["schemas"]["DisputeStatement"];
            response?: components["schemas"]["DisputeStatement"];
            evidence: {
                /** @enum {string} */
                party: "buyer" | "seller";
                message_urn?: components["schemas"]["MessageUrn"];
                delivery_urn?: components["schemas"]["DeliveryUrn"];
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description What each side handed in, to the evidence and to an appeal. */
            files: components["schemas"]["EvidenceFile"][];
            rejections: {
                delivery: number;
                reason?: string;
                /** Format: date-time */
                rejected_at: string;
            }[];
            /** @description Who has nothing to add. With both, the evidence closes. */
            ready: {
                buyer: boolean;
                seller: boolean;
            };
            /** @description Who will not appeal. With both, the verdict is executed. */
            waived: {
                buyer: boolean;
                seller: boolean;
            };
            /** @description Why a human decides: reason codes. */
            flags: string[];
            /** @description Each side can appeal once; the first that pays is heard. */
            appeals: {
                /** @enum {string} */
                party: "buyer" | "seller";
                fee: string;
                /**
                 * @description Of its fee. offered: to be paid; lapsed: it was not; held: the appeal is heard; kept: it did not raise what the appellant gets; returned: it did, or nobody decided in time.
                 * @enum {string}
                 */
                state: "offered" | "lapsed" | "held" | "kept" | "returned";
                /** @description What you may do with it now. */
                may: ("fund" | "state" | "hand_in_file")[];
                payment?: {
                    /** @enum {string} */
                    state: "submitted" | "failed";
                    /** @description Why it could not be made: another one can be signed. */
                    reason?: string;
                    /** @description What to do, for people. */
                    detail: string;
                    /** @description The last transaction that the facilitator sent for it, once it has. */
                    tx?: string;
                };
                payment_requirements?: components["schemas"]["AppealRequirements"];
                /** Format: date-time */
                offered_at: string;
                /** Format: date-time */
                paid_at?: string;
                /** Format: date-time */
                ended_at?: string;
            }[];
            /** @description What each side says to whoever hears the appeal. */
            appeal_statements: {
                /** @enum {string} */
                party: "buyer" | "seller";
                statement: string;
                /** Format: date-time */
                created_at: string;
            }[];
            /**
             * Format: date-time
             * @description Until when both sides may speak to the appeal that is heard, and hand in files.
             */
            appeal_heard_until?: string;
            /**
             * Format: date-time
             * @description When its state ends by itself; a decided one not before an appeal can no longer be paid.
             */
            due_at?: string;
            /** @description Of the record it is decided by, once frozen. */
            evidence_sha256?: string;
            verdict_urn?: components["schemas"]["VerdictUrn"] & unknown;
            verdict_urns: components["schemas"]["VerdictUrn"][];
            /** @enum {string} */
            outcome?: "verdict" | "settlement" | "concession" | "release" | "chain";
            /** @description What the buyer gets back, once it is ended. */
            refund?: string;
            /** Format: date-time */
            opened_at: string;
            /** Format: date-time */
            closed_at?: string;
        };
        DisputeStatement: {
            grounds: ("not_delivered" | "hash_mismatch" | "late" | "wrong_format" | "incomplete" | "not_as_described" | "quality" | "copied" | "changed_mind" | "other")[];
            what_happened: string;
            wanted?: string;
            requested_refund?: string;
            offered_refund?: string;
            /** Format: date-time */
            created_at: string;
        };
        AppealRequirements: {
            dispute_urn: components["schemas"]["DisputeUrn"];
            appellant_urn: components["schemas"]["AgentUrn"];
            token: string;
            /** @description CAIP-2 chain id, eip155:<id>. */
            network: string;
            amount: string;
            recipient: string;
            /** @description The EIP-3009 nonce to sign: a hash of the dispute, the appellant and the amount. */
            nonce: `0x${string}`;
            /** Format: date-time */
            valid_after: string;
            /** Format: date-time */
            valid_before: string;
        };
        Verdict: {
            urn: components["schemas"]["VerdictUrn"];
            dispute_urn: components["schemas"]["DisputeUrn"];
            order_urn: components["schemas"]["OrderUrn"];
            sequence: number;
            supersedes_urn?: components["schemas"]["VerdictUrn"];
            party_a: components["schemas"]["AgentUrn"] & unknown;
            party_b: components["schemas"]["AgentUrn"] & unknown;
            /** @enum {string} */
            winner: "party_a" | "party_b";
            /** @enum {string} */
            remedy: "release_to_seller" | "full_refund" | "partial_refund";
            partial_amount_usdc?: string;
            grounds: string;
            confidence: number;
            prompt_version: string;
            /** Format: date-time */
            decided_at: string;
            /** Format: date-time */
            appeal_until?: string;
            /** @description The document with its Ed25519 signature (RFC 8785, base64url), by a key of purpose verdicts. */
            signed: {
                document: components["schemas"]["VerdictDocument"];
                key_id: string;
                signature: string;
            };
        };
        VerdictDocument: {
            verdict_urn: string;
            dispute_urn: string;
            order_urn: string;
            sequence: number;
            supersedes?: string;
            party_a: string;
            party_b: string;
            opener: string;
            /** @enum {string} */
            winner: "party_a" | "party_b";
            /** @enum {string} */
            remedy: "release_to_seller" | "full_refund" | "partial_refund";
            partial_amount_usdc?: string;
            price: string;
            split: {
                buyer: string;
                seller: string;
                fee: string;
            } & {
                [key: string]: unknown;
            };
            grounds: string;
            confidence: number;
            prompt_version: string;
            arbitrator: {
                /** @enum {string} */
                kind: "rules" | "model" | "human" | "fallback";
            } & {
                [key: string]: unknown;
            };
            facts: {
                [key: string]: unknown;
            };
            evidence_sha256: string;
            /** Format: date-time */
            decided_at: string;
            /** Format: date-time */
            appeal_until?: string;
        } & {
            [key: string]: unknown;
        };
        VerdictProof: {
            verdict_urn: components["schemas"]["VerdictUrn"];
            /** @description Whether a published key made the signature. Do not take our word. */
            valid: boolean;
            /** @description Of the canonical document. */
            sha256: string;
            key_id: string;
            signature: string;
            document: components["schemas"]["VerdictDocument"];
            /** @description The bytes that were signed (RFC 8785). */
            canonical: string;
        };
        ReviewCase: {
            dispute_urn: components["schemas"]["DisputeUrn"];
            /** @enum {string} */
            state: "open" | "pre_review" | "arbitrating" | "in_review" | "decided" | "executing" | "closed";
            /** @description What you may do with it now. */
            may: ("clear" | "decide")[];
            price: string;
            /** @description What delivery is measured against. Criteria are those that stand. */
            agreed: {
                description: string;
                criteria?: components["schemas"]["Criterion"][];
                /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
                criteria_complete?: boolean;
            };
            /** @description As they were frozen. */
            facts: {
                [key: string]: unknown;
            };
            /** @description How far the texts of each side seem to speak to whoever judges. From 50 on a side is flagged. */
            screening: {
                version: string;
                buyer: {
                    score: number;
                    families: string[];
                };
                seller: {
                    score: number;
                    families: string[];
                };
            };
            statements: {
                /** @enum {string} */
                party: "buyer" | "seller";
                grounds: string[];
                what_happened: string;
                wanted?: string;
            }[];
            rejections: {
                delivery: number;
                reason: string;
            }[];
            messages: {
                /** @enum {string} */
                author: "buyer" | "seller";
                kind: string;
                body?: string;
                payload?: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description What was handed over, and uploads that a party refers to. Read one for its bytes. */
            deliveries: components["schemas"]["ReviewDelivery"][];
            /** @description What each side handed in. Read one for its bytes. */
            files: components["schemas"]["ReviewFile"][];
            /** @description What each side says of the verdict that was appealed. */
            appeal_statements: {
                /** @enum {string} */
                author: "buyer" | "seller";
                statement: string;
                screening: {
                    score: number;
                    families: string[];
                };
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description The automated verdict that was appealed. */
            automated?: {
                refund: string;
                verdict_urn: components["schemas"]["VerdictUrn"];
            };
        };
        ReviewDelivery: {
            delivery_urn: components["schemas"]["DeliveryUrn"];
            /** @description False for what a party only refers to as evidence. */
            handed_over: boolean;
            /** @description SHA-256 of the bytes, hex. */
            output_hash: string;
            size_bytes: number;
            filename?: string;
            /** Format: date-time */
            created_at: string;
        };
        ReviewFile: components["schemas"]["EvidenceFile"] & {
            /** @description Of one that is part of an appeal. What the screener finds in evidence counts in the screening of the case. */
            screening?: {
                score: number;
                families: string[];
            };
        };
        Rating: {
            urn: components["schemas"]["RatingUrn"];
            order_urn: components["schemas"]["OrderUrn"];
            seller_urn: components["schemas"]["AgentUrn"];
            rating: number;
            comment?: string;
            /** @description The seller's. */
            reply?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            replied_at?: string;
        };
        ReputationRecord: {
            unweighted_count: number;
            weighted_rating_avg: number;
            weighted_dispute_loss_rate: number;
            weighted_volume_usdc: string;
            urn: string;
            composite_score: number;
            alpha: number;
            weighting_function: string;
            /** @description How many people have paid it, by whichever of their accounts. */
            distinct_counterparties: number;
            /** @description The largest of them's part of the volume. */
            largest_counterparty_share: number;
            /** @description What the service received: the price of the record. */
            fees_paid: string;
            /** @description Deliveries that the seller refunded. */
            conceded_count: number;
            disputes_lost_as_buyer: number;
            /** @description Disputes in which a reviewer found its text to be written to steer whoever judges. */
            hostile_text_count: number;
            /** Format: date-time */
            as_of: string;
        };
        ReputationAnswer: {
            /** @enum {string} */
            type: "market:reputation-answer:1";
            subject_urn: string;
            conditions: {
                min_unweighted_count?: number;
                window_months?: number;
                min_weighted_rating_avg?: number;
                max_weighted_dispute_loss_rate?: number;
            };
            result: boolean;
            supporting: {
                unweighted_count: number;
                weighted_rating_avg: number;
                weighted_dispute_loss_rate: number;
                weighted_volume_usdc: string;
            };
            /** Format: date-time */
            as_of: string;
            key_id: string;
            signature: string;
        };
        Payout: {
            urn: components["schemas"]["PayoutUrn"];
            order_urn: components["schemas"]["OrderUrn"] | null;
            agent_urn: components["schemas"]["AgentUrn"] | null;
            /**
             * @description payee: a seller's net. payer: a refund to whoever paid.
             * @enum {string}
             */
            leg: "payee" | "payer";
            /** @enum {string} */
            state: "pending" | "blocked" | "submitted" | "confirmed" | "failed";
            amount: string;
            to: `0x${string}` | null;
            /** @description EIP-3009 nonce under which the hot wallet pays it, once. */
            nonce: `0x${string}`;
            tx_hash: `0x${string}` | null;
            /** @description Why the last attempt failed. */
            reason: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When its attempts were last used up. A failed payout that has this can be opened again.
             */
            parked_at: string | null;
            /** Format: date-time */
            confirmed_at: string | null;
        };
        OwnedPayout: components["schemas"]["Payout"] & {
            /** @description Whose money it is; null for what is returned to a payer unmatched. */
            owner_urn: components["schemas"]["HumanUrn"] | null;
        };
        Balances: {
            owner_urn: components["schemas"]["HumanUrn"];
            /** @description CAIP-2 chain, and the token. */
            asset: string;
            /**
             * Format: date-time
             * @description Everything that was booked before this instant is in it.
             */
            as_of: string;
            /** @description What the hot wallet keeps for you. */
            custody: {
                /** @description What your agents earned and is not on its way. */
                payable: string;
                /** @description Payouts and refunds on their way to you. */
                in_transit: string;
                /** @description What your agents paid for orders that are not decided. */
                held: string;
                /** @description Refunds that could not be made: open them again. */
                kept_apart: string;
                total: string;
            };
            /** @description What the contract keeps for you, as the ledger has it of its events. */
            contract: {
                /** @description What your agents paid for orders that are not decided. */
                held: string;
                /** @description What your wallets may withdraw from the contract: those that you bound, and those that paid for you. */
                claimable: string;
                /** @description The same by wallet: each withdraws by a transaction of its own. */
                wallets: {
                    address: `0x${string}`;
                    claimable: string;
                }[];
            };
        };
        Statement: {
            owner_urn: components["schemas"]["HumanUrn"];
            /** @description CAIP-2 chain, and the token. */
            asset: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            opening_balance: string;
            /** @description The opening balance and the lines of all pages. */
            closing_balance: string;
            lines: components["schemas"]["StatementLine"][];
            next_cursor: string | null;
        };
        StatementLine: {
            /** Format: date-time */
            at: string;
            /** @description Which posting it is of: docs/ledger.md has them all. */
            kind: string;
            amount: string;
            /** @description What the account has after it. */
            balance: string;
            order_urn: components["schemas"]["OrderUrn"] | null;
            order_title: string | null;
            payout_urn: components["schemas"]["PayoutUrn"] | null;
            tx_hash: `0x${string}` | null;
        };
        PayoutReceipt: {
            payout_urn: components["schemas"]["PayoutUrn"];
            order_urn: components["schemas"]["OrderUrn"] | null;
            agent_urn: components["schemas"]["AgentUrn"] | null;
            /** @enum {string} */
            leg: "payee" | "payer";
            /** @description CAIP-2 chain, and the token. */
            asset: string;
            amount: string;
            /** @description The hot wallet. */
            from: `0x${string}`;
            to: `0x${string}`;
            /** @description Of the authorization: follows from the deposit and the leg. */
            nonce: `0x${string}`;
            /** @description What it was paid out of. */
            deposit: {
                from: `0x${string}`;
                nonce: `0x${string}`;
                amount: string;
                tx_hash: `0x${string}`;
            };
            tx_hash: `0x${string}`;
            block_number: number;
            block_hash: `0x${string}`;
            log_index: number;
            /** Format: date-time */
            confirmed_at: string;
            /** @description Of a seller's net: what the nonce of the deposit is the hash of. */
            sale?: {
                order_urn: string;
                seller_urn: string;
                owner_urn: string;
            };
            /** @description Of a seller's net: the EIP-4361 message by which the wallet was bound to the seller. */
            binding?: {
                message: string;
                signature: string;
            };
        };
        OrderMoney: {
            order_urn: components["schemas"]["OrderUrn"];
            order_title: string;
            order_state: string;
            /**
             * @description On which side your agent is. An order between two of your agents has an item for each.
             * @enum {string}
             */
            side: "seller" | "buyer";
            agent_urn: components["schemas"]["AgentUrn"] & unknown;
            counterparty_urn: components["schemas"]["AgentUrn"];
            counterparty_name: string;
            /** @enum {string} */
            escrow_mode: "custodied" | "contract";
            asset: string;
            /** @description What the buyer paid: the sum of net, fee and refund. */
            gross: string;
            /** @description Of the service. Null until the money is distributed. */
            fee: string | null;
            /** @description What the seller gets. */
            net: string | null;
            /** @description What the buyer gets back. */
            refund: string | null;
            /**
             * @description Where your part is: the net of a seller, the refund of a buyer. held: in escrow, undecided. suspended: the chain took the payment back, and it is being sent again. releasing: decided, and its transaction is not confirmed yet. to_withdraw: your wallet can withdraw it from the contract. withdrawn: it did. awaiting_wallet: the payout waits for a wallet. in_payout: on its way out of custody. paid_out: it arrived. kept_apart: the payout failed; open it again. none: no part is yours.
             * @enum {string}
             */
            place: "held" | "suspended" | "releasing" | "to_withdraw" | "withdrawn" | "awaiting_wallet" | "in_payout" | "paid_out" | "kept_apart" | "none";
            /** @description The wallet that your part went or goes to. */
            wallet: `0x${string}` | null;
            /** @description In custody: the payout of your part. */
            payout_urn: components["schemas"]["PayoutUrn"] | null;
            /** @description The confirmed transaction that brought your part to where it is: payment, release, withdrawal or payout. */
            tx_hash: `0x${string}` | null;
            /** @description The transaction that paid the order. */
            payment_tx: `0x${string}`;
            /** Format: date-time */
            paid_at: string;
            /**
             * Format: date-time
             * @description When the order ended. Null while it is open.
             */
            ended_at: string | null;
        };
        HotWallet: {
            hot_wallet: `0x${string}`;
            /** @description Below it an alarm is raised. */
            floor: string;
            cold_wallet: `0x${string}` | null;
            /** @description What is held beyond it goes to the cold wallet. */
            ceiling: string | null;
            /** @description What the cold wallet was sent and has not given back. */
            cold_balance: string;
            /** @description The wallet as it was last seen, at confirmed depth. Null before the first look. */
            observed: {
                balance: string;
                /** @description What is to be paid out of it, as far as it is decided. */
                due: string;
                /** Format: date-time */
                below_floor_since: string | null;
                block_number: number;
                /** Format: date-time */
                at: string;
            } | null;
        };
        PayoutStop: {
            urn: components["schemas"]["StopUrn"];
            /**
             * @description What stands still: payouts out of custody, or what the contract is asked to do.
             * @enum {string}
             */
            place: "hot_wallet" | "escrow";
            reason: string;
            /** @description What the chain showed and nothing explains, where that is why. */
            fact: string | null;
            raised_by: string;
            /** Format: date-time */
            raised_at: string;
            lifted_by: string | null;
            /** Format: date-time */
            lifted_at: string | null;
            /** @description How it came about, where nothing on the chain says so. */
            explanation: string | null;
            explained_by: string | null;
            /** Format: date-time */
            explained_at: string | null;
        };
        Reconciliation: {
            /** Format: date-time */
            checked_at: string;
            /** @description How long ago that was. It is done with every block. */
            age_seconds: number;
            block_number: number;
            block_hash: string;
            /** @description How far the block was behind the newest confirmed one, in blocks and by their times. */
            lag: {
                blocks: number;
                seconds: number;
            };
            /** @description Everything that was compared is equal, one by one. */
            is_ok: boolean;
            token: `0x${string}`;
            escrow: {
                address: `0x${string}`;
                balance: {
                    booked: string;
                    on_chain: string;
                };
                owed: {
                    booked: string;
                    on_chain: string;
                };
            };
            hot_wallet: {
                address: `0x${string}`;
                balance: {
                    booked: string;
                    on_chain: string;
                };
            };
            /** @description What is not as it must be, and how often. What comes in unasked is among it for a moment. */
            findings: {
                code: string;
                count: number;
            }[];
            /** @description Where nothing is paid out until an operator has looked at it. */
            stopped: {
                hot_wallet: boolean;
                escrow: boolean;
            };
        } | null;
        PastReconciliation: {
            /** Format: date-time */
            checked_at: string;
            block_number: number;
            block_hash: string;
            /** @description How far the block was behind the newest confirmed one, in blocks and by their times. */
            lag: {
                blocks: number;
                seconds: number;
            };
            /** @description Everything that was compared is equal, one by one. */
            is_ok: boolean;
            escrow: {
                balance: {
                    booked: string;
                    on_chain: string;
                };
                owed: {
                    booked: string;
                    on_chain: string;
                };
            };
            hot_wallet: {
                balance: {
                    booked: string;
                    on_chain: string;
                };
            };
            /** @description How much was not as it must be. */
            findings: number;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
        };
        AuditEntry: {
            /** @description From 1 on, without gaps. */
            position: number;
            /** @description 32 bytes, lowercase hex. */
            previous_hash: string;
            /** @description SHA-256(salt ‖ canonical JSON of the content without its salt, RFC 8785). */
            digest: string;
            /** @description SHA-256(previous_hash ‖ digest). */
            hash: string;
            content: components["schemas"]["AuditContent"];
        };
        /** @description Of entries that concern you. Null for those of others, of somebody who was erased, and those that only an archive has. */
        AuditContent: {
            /** @description URN of the account that acted, or `service`. */
            actor: string;
            action: string;
            subject: string;
            details: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** @description 32 bytes, lowercase hex. */
            salt: string;
        } | null;
        AuditHead: {
            document: {
                /** @enum {string} */
                type: "market:audit-log-head";
                position: number;
                /** @description 32 bytes, lowercase hex. */
                hash: string;
                /**
                 * Format: date-time
                 * @description When this was signed.
                 */
                as_of: string;
            };
            key_id: string;
            /** @description Ed25519 over the canonical JSON of the document, base64url. */
            signature: string;
        };
        Liabilities: {
            document: {
                /** @enum {string} */
                type: "market:liabilities";
                network: string;
                token: `0x${string}`;
                wallets: `0x${string}`[];
                block_number: number;
                block_hash: `0x${string}`;
                total: string;
                root: string;
                height: number;
                /** Format: date-time */
                created_at: string;
            } & {
                [key: string]: unknown;
            };
            key_id: string;
            signature: string;
        };
        Inclusions: {
            liabilities: components["schemas"]["Liabilities"];
            balances: {
                account: string;
                amount: string;
                salt: string;
                position: number;
                path: {
                    hash: string;
                    sum: string;
                }[];
            }[];
            next_cursor: string | null;
        };
        AppealFees: {
            appeals: `0x${string}`[];
            next_cursor: string | null;
        };
        EventPage: {
            events: components["schemas"]["Event"][];
            cursor: string;
            /** @description Null if this was all there is for now. */
            next_cursor: string | null;
        };
        Event: {
            /**
             * Format: uuid
             * @description Unique: deduplicate by it.
             */
            event_id: string;
            event_type: string;
            payload: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
        };
        EventTypes: {
            types: {
                event_type: string;
                when: string;
                is_specified: boolean;
                /** @description Sent to the webhooks of its org alone. */
                is_of_org: boolean;
                schema: {
                    [key: string]: unknown;
                };
            }[];
        };
        RecentOrders: {
            orders: components["schemas"]["RecentOrder"][];
        };
        RecentOrder: {
            price: string;
            /** @enum {string} */
            escrow_mode: "custodied" | "contract";
            /** @enum {string} */
            outcome: "released" | "refunded" | "split";
            disputed: boolean;
            /**
             * Format: date-time
             * @description To the minute.
             */
            finalized_at: string;
        };
        OperatorTotals: {
            days: {
                paid_orders: number;
                /** @description What buyers paid for these orders. */
                paid: string;
                /** @description Orders whose money was distributed. */
                ended_orders: number;
                refunded: string;
                to_sellers: string;
                fees: string;
                /** Format: date */
                day: string;
            }[];
            /** @description All these days. */
            period: {
                paid_orders: number;
                /** @description What buyers paid for these orders. */
                paid: string;
                /** @description Orders whose money was distributed. */
                ended_orders: number;
                refunded: string;
                to_sellers: string;
                fees: string;
            };
            /** @description Orders that have not ended, with their prices: once paid, what is held for them. */
            open_orders: {
                /** @enum {string} */
                state: "placed" | "funded" | "in_flight" | "delivered" | "accepted" | "rejected" | "cancelled" | "disputed" | "final";
                orders: number;
                amount: string;
            }[];
            /** @description Open disputes by state, and those that were closed in these days. */
            disputes: {
                /** @enum {string} */
                state: "open" | "pre_review" | "arbitrating" | "in_review" | "decided" | "executing" | "closed";
                disputes: number;
            }[];
            /** @description From payment to the distribution of the money, of at most the last 1,000 orders in these days. Null without one. */
            time_to_final: {
                orders: number;
                median_seconds: number;
                p90_seconds: number;
            } | null;
        };
        Found: {
            /**
             * @description What `q` was read as.
             * @enum {string}
             */
            by: "urn" | "id" | "hash" | "address" | "email" | "name";
            found: {
                urn: components["schemas"]["HumanUrn"] | components["schemas"]["AgentUrn"] | components["schemas"]["OrgUrn"] | components["schemas"]["OrderUrn"] | components["schemas"]["DisputeUrn"] | components["schemas"]["PayoutUrn"] | components["schemas"]["AskUrn"] | components["schemas"]["BidUrn"] | components["schemas"]["WebhookUrn"] | components["schemas"]["TokenUrn"] | components["schemas"]["SessionUrn"];
                title: string;
                state: string | null;
                amount: string | null;
                /** Format: date-time */
                created_at: string;
                /** @description Who is behind it: owners, or both parties. */
                people: {
                    urn: components["schemas"]["HumanUrn"];
                    display_name: string;
                }[];
            }[];
        };
        PersonRecord: {
            urn: components["schemas"]["HumanUrn"];
            display_name: string;
            /** @enum {string} */
            role: "member" | "operator";
            is_reviewer: boolean;
            has_confirmed_email: boolean;
            passkeys: number;
            /** @description That may have been copied: they let nobody in. */
            flagged_passkeys: number;
            created_by: components["schemas"]["HumanUrn"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            erased_at: string | null;
            limits: {
                agents: {
                    used: number;
                    most: number;
                };
                owned_orgs: {
                    used: number;
                    most: number;
                };
            };
            agents: {
                urn: components["schemas"]["AgentUrn"];
                display_name: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                deactivated_at: string | null;
            }[];
            orgs: {
                urn: components["schemas"]["OrgUrn"];
                slug: string;
                display_name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member";
                /** Format: date-time */
                joined_at: string;
            }[];
            wallets: {
                urn: components["schemas"]["WalletUrn"];
                account_urn: components["schemas"]["HumanUrn"] | components["schemas"]["AgentUrn"];
                address: string;
                /** Format: date-time */
                verified_at: string;
                is_for_payouts: boolean;
                /** @description Not paid to until its owner signs again. */
                is_doubtful: boolean;
            }[];
            orders: {
                urn: components["schemas"]["OrderUrn"];
                /** @enum {string} */
                side: "buyer" | "seller";
                buyer: string;
                seller: string;
                /** @enum {string} */
                state: "placed" | "funded" | "in_flight" | "delivered" | "accepted" | "rejected" | "cancelled" | "disputed" | "final";
                price: string;
                /** @enum {string} */
                escrow_mode: "custodied" | "contract";
                /** Format: date-time */
                placed_at: string;
            }[];
            disputes: {
                urn: components["schemas"]["DisputeUrn"];
                order_urn: components["schemas"]["OrderUrn"];
                /** @enum {string} */
                state: "open" | "pre_review" | "arbitrating" | "in_review" | "decided" | "executing" | "closed";
                outcome: string | null;
                /** Format: date-time */
                opened_at: string;
            }[];
            payouts: {
                urn: components["schemas"]["PayoutUrn"];
                order_urn: components["schemas"]["OrderUrn"] | null;
                /** @enum {string} */
                state: "pending" | "blocked" | "submitted" | "confirmed" | "failed";
                amount: string;
                reason: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            tokens: {
                urn: components["schemas"]["TokenUrn"];
                owner_urn: components["schemas"]["HumanUrn"] | components["schemas"]["AgentUrn"];
                scopes: ("read" | "transact" | "withdraw" | "manage")[];
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string | null;
                /** Format: date-time */
                last_used_at: string | null;
                spend_limit: components["schemas"]["SpendLimit"];
                spent_today: string;
            }[];
            sessions: {
                urn: components["schemas"]["SessionUrn"];
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                seen_at: string;
                /** Format: date-time */
                expires_at: string;
            }[];
        };
        CreatedWebhook: {
            subscription: components["schemas"]["WebhookSubscription"];
            secret: string;
        };
        WebhookSubscription: {
            urn: components["schemas"]["WebhookUrn"];
            owner_urn: components["schemas"]["AgentUrn"] | components["schemas"]["HumanUrn"] | components["schemas"]["OrgUrn"];
            url: string;
            event_types: string[];
            /** @description SHA-256 of the secret, hex. */
            secret_hash: string;
            /**
             * @description Nothing is sent while it is not active; what happens meanwhile is kept, and sent afterwards.
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /**
             * @description Who paused or disabled it: its owner, the service because every attempt failed, an operator, the deactivation of its agent, or its receiver (of an org, with 410).
             * @enum {string}
             */
            status_reason?: "owner" | "failing" | "operator" | "deactivated" | "gone";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            subscription_urn: components["schemas"]["WebhookUrn"];
            /** Format: uuid */
            event_id: string;
            event_type: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "retrying" | "dead_letter";
            /** @description Of this delivery since it was last replayed. */
            attempts: number;
            /** @description Each attempt since it was last replayed. */
            attempt_log: {
                /** Format: date-time */
                attempted_at: string;
                /** @description What the receiver answered; null for no answer. */
                status_code: number | null;
                latency_ms: number;
                /** @description Why there was no answer: timeout, address_refused, dns_failure, tls_failure or connection_failed. */
                failure: string | null;
            }[];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Absent until the first attempt.
             */
            last_attempt_at?: string;
            /**
             * Format: date-time
             * @description While it is retrying.
             */
            next_attempt_at?: string;
            /** @description What the receiver answered last. */
            response_status?: number;
            /** @description The first 1,000 bytes of that answer. */
            response_body?: string;
            /** @description How long the last attempt took. */
            latency_ms?: number;
            /** @description Why the last attempt had no answer: timeout, address_refused, dns_failure, tls_failure or connection_failed. */
            failure?: string;
        };
        WebhookDeliveryDetail: components["schemas"]["WebhookDelivery"] & {
            /** @description Headers of the last answer: at most 30, without cookies. Absent without an answer. */
            response_headers?: {
                [key: string]: string;
            };
            /** @description The body of each attempt, byte by byte. Shown to whom the webhook belongs alone. */
            request_body?: string;
        };
        Org: {
            urn: components["schemas"]["OrgUrn"];
            /** @description What the workspace calls it. */
            slug: string;
            display_name: string;
            /**
             * @description Yours.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            created_at: string;
        };
        OrgMember: {
            human_urn: components["schemas"]["HumanUrn"];
            display_name: string;
            /**
             * @description Owners do everything; admins invite and remove members; members work here.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            joined_at: string;
        };
        OrgInvitation: {
            org_urn: components["schemas"]["OrgUrn"];
            slug: string;
            /** @description Of the org. */
            display_name: string;
            human_urn: components["schemas"]["HumanUrn"] & unknown;
            invited_by: components["schemas"]["HumanUrn"];
            /**
             * @description Owners do everything; admins invite and remove members; members work here.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            expires_at: string;
        };
        NewEmailInvitation: {
            invitation: components["schemas"]["EmailInvitation"];
            /** Format: uri */
            link?: string;
        };
        EmailInvitation: {
            /** Format: uuid */
            id: string;
            org_urn: components["schemas"]["OrgUrn"];
            /** @description Erased once the invitation ends. */
            email: string;
            /**
             * @description Owners do everything; admins invite and remove members; members work here.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            invited_by: components["schemas"]["HumanUrn"];
            /** @description Whether the mail is still to be sent. */
            is_sending: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        ReceivedInvitation: {
            org_urn: components["schemas"]["OrgUrn"];
            slug: string;
            /** @description Of the org. */
            display_name: string;
            /** @description The name of who invites. */
            invited_by: string;
            /**
             * @description Owners do everything; admins invite and remove members; members work here.
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            expires_at: string;
        };
        Picture: {
            /**
             * Format: uuid
             * @description The id of the person, the agent or the org: the last part of their URN.
             */
            of: string;
            /**
             * Format: uuid
             * @description Of the picture, which is at /v1/pictures/{id}. A new one has another.
             */
            id: string;
            /** Format: date-time */
            created_at: string;
        };
        Export: {
            urn: components["schemas"]["ExportUrn"];
            /** @enum {string} */
            state: "pending" | "ready" | "expired";
            /** @description In kinds of things. */
            progress: {
                done: number;
                total: number;
            };
            size_bytes: number | null;
            /** @description Of the file, lowercase hex. */
            sha256: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted.
             */
            expires_at: string | null;
        };
        Erasure: {
            urn: components["schemas"]["HumanUrn"];
            /** Format: date-time */
            erase_at: string;
        };
        OrgAgent: {
            agent_urn: components["schemas"]["AgentUrn"];
            owner_urn: components["schemas"]["HumanUrn"];
            display_name: string;
            /** @enum {string} */
            state: "active" | "paused" | "revoked";
            /** Format: date-time */
            added_at: string;
            /** Format: date-time */
            changed_at: string;
        };
        KillSwitch: {
            engaged: boolean;
            /** Format: date-time */
            engaged_at: string | null;
        };
        Space: {
            /** Format: uuid */
            id: string;
            short_id: string;
            name: string;
            /**
             * @description Who of the org sees it: everybody, or its members, besides the owners and admins of the org.
             * @enum {string}
             */
            visibility: "open" | "private";
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Nothing changes in an archived space.
             */
            archived_at: string | null;
        };
        SpaceMember: {
            human_urn: components["schemas"]["HumanUrn"];
            display_name: string;
            /** Format: date-time */
            added_at: string;
        };
        Page: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            space_id: string;
            /**
             * Format: uuid
             * @description The page that it is below.
             */
            parent_id: string | null;
            title: string;
            version: number;
            published_version: number | null;
            /** Format: date-time */
            published_at: string | null;
            text: string;
            /** @description The text, with a marker in place of each reference to an attachment that is in the trash or gone. */
            rendered_text: string;
            /** @description The pages that names in the text lead to, where the page has no file of that name. */
            references: {
                name: string;
                /** Format: uuid */
                id: string;
                short_id: string;
            }[];
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            trashed_at: string | null;
            /** Format: date-time */
            restorable_until: string | null;
        };
        PageVersion: {
            number: number;
            title: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        PageText: components["schemas"]["PageVersion"] & {
            text: string;
        };
        PageDiff: {
            /** @description 0 for before the first. */
            from: number;
            to: number;
            old_title: string;
            new_title: string;
            hunks: {
                /** @description Of the old text, counted from 1. */
                from_line: number;
                removed: string[];
                added: string[];
            }[];
        };
        PagePresence: {
            /**
             * Format: date-time
             * @description Until when you have it open: say so again before.
             */
            expires_at: string;
            others: {
                account: string;
                display_name: string;
                is_editing: boolean;
            }[];
        };
        Entry: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            page_id: string;
            text: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Task: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            space_id: string;
            /**
             * Format: uuid
             * @description The page that it is about.
             */
            page_id: string | null;
            title: string;
            text: string;
            /** @enum {string} */
            state: "open" | "offered" | "claimed" | "submitted" | "approved" | "rejected" | "archived";
            /** @description What you may do with it now, what comes next first. To renew a claim is to claim again. */
            may: ("claim" | "submit" | "approve" | "reject" | "renew" | "release" | "refile" | "offer" | "withdraw_offer" | "update" | "plan" | "change_files" | "archive")[];
            /** @description Who does it, or did. */
            claimed_by: string | null;
            /**
             * Format: date-time
             * @description When a claim ends, unless it is renewed.
             */
            lease_until: string | null;
            /** @description What was handed in. */
            result: string | null;
            /** @description Why it was rejected. */
            reason: string | null;
            /** @description Who is to do it, as the org plans. A seller does not see the plan. */
            assignee: string | null;
            /**
             * Format: date
             * @description The day by which it is to be done.
             */
            due_on: string | null;
            labels: string[];
            /** @enum {string} */
            priority: "urgent" | "high" | "medium" | "low" | "none";
            /** @description The bid that offers it on the market. */
            bid_urn: components["schemas"]["BidUrn"] | null;
            /** @description The order that it is done for. */
            order_urn: components["schemas"]["OrderUrn"] | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            files: components["schemas"]["Attachment"][];
        };
        Attachment: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /**
             * Format: uuid
             * @description Null for the seller of a task that has it, who sees no page.
             */
            page_id: string | null;
            page_short_id: string | null;
            /** Format: uuid */
            entry_id: string | null;
            filename: string;
            /** @description How page text shows it. */
            reference: string;
            /**
             * @description It is hashing where its parts were sent to several processes, until one has read it as a whole.
             * @enum {string}
             */
            state: "hashing" | "active" | "trashed";
            /** @description What you may do with it now. */
            may: ("update" | "replace" | "trash" | "restore" | "purge")[];
            /** @description The number of its current version. */
            version: number;
            size_bytes: number;
            /** @description Of the bytes, hex. Absent while they are hashed. */
            sha256?: string;
            /** @description What the bytes are, whatever the sender called them; application/octet-stream while they are hashed. */
            media_type: string;
            /**
             * @description Whether its text is there, and whole. A file that no reader gets through has failed.
             * @enum {string}
             */
            text_state: "pending" | "ready" | "truncated" | "unsupported" | "failed";
            /** @enum {string} */
            preview_state: "pending" | "ready" | "unsupported" | "failed";
            /**
             * @description What the virus scanner says. An operator releases an infected file, or deletes its bytes.
             * @enum {string}
             */
            scan_state: "unscanned" | "clean" | "infected" | "unscannable" | "released" | "deleted";
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            trashed_at: string | null;
            /** Format: date-time */
            restorable_until: string | null;
        };
        TaskItem: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            space_id: string;
            /**
             * Format: uuid
             * @description The page that it is about.
             */
            page_id: string | null;
            title: string;
            text: string;
            /** @enum {string} */
            state: "open" | "offered" | "claimed" | "submitted" | "approved" | "rejected" | "archived";
            /** @description What you may do with it now, what comes next first. To renew a claim is to claim again. */
            may: ("claim" | "submit" | "approve" | "reject" | "renew" | "release" | "refile" | "offer" | "withdraw_offer" | "update" | "plan" | "change_files" | "archive")[];
            /** @description Who does it, or did. */
            claimed_by: string | null;
            /**
             * Format: date-time
             * @description When a claim ends, unless it is renewed.
             */
            lease_until: string | null;
            /** @description What was handed in. */
            result: string | null;
            /** @description Why it was rejected. */
            reason: string | null;
            /** @description Who is to do it, as the org plans. A seller does not see the plan. */
            assignee: string | null;
            /**
             * Format: date
             * @description The day by which it is to be done.
             */
            due_on: string | null;
            labels: string[];
            /** @enum {string} */
            priority: "urgent" | "high" | "medium" | "low" | "none";
            /** @description The bid that offers it on the market. */
            bid_urn: components["schemas"]["BidUrn"] | null;
            /** @description The order that it is done for. */
            order_urn: components["schemas"]["OrderUrn"] | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OrderTask: {
            org: string;
            task: components["schemas"]["Task"];
        };
        View: {
            /** Format: uuid */
            id: string;
            short_id: string;
            name: string;
            /** @description What the console’s page of tasks shows: `view`, `sort`, and its filters, as in the address of the page. */
            query: string;
            /** @description What you may do with it. */
            may: "delete"[];
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        Comment: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            page_id: string | null;
            /** Format: uuid */
            task_id: string | null;
            /**
             * Format: uuid
             * @description The comment that it answers; null for one that begins a thread.
             */
            thread_id: string | null;
            text: string;
            anchor: {
                quote: string;
                /** @description Where the words stand in the page now, in UTF-16 code units; null if they are gone. */
                start: number | null;
                end: number | null;
            } | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            resolved_by: string | null;
            /** Format: date-time */
            resolved_at: string | null;
            /** Format: date-time */
            deleted_at: string | null;
        };
        Decision: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            space_id: string;
            /** Format: uuid */
            page_id: string | null;
            /** Format: uuid */
            task_id: string | null;
            title: string;
            text: string;
            /**
             * Format: uuid
             * @description The decision that it takes the place of.
             */
            supersedes: string | null;
            /**
             * Format: uuid
             * @description The decision that took its place.
             */
            superseded_by: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        Secret: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /**
             * Format: uuid
             * @description Its space; null for one of the whole org.
             */
            space_id: string | null;
            name: string;
            /** @description How often it was given a value. */
            version: number;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            updated_by: string;
            /** Format: date-time */
            updated_at: string;
        };
        RevealedSecret: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /**
             * Format: uuid
             * @description Its space; null for one of the whole org.
             */
            space_id: string | null;
            name: string;
            /** @description How often it was given a value. */
            version: number;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            updated_by: string;
            /** Format: date-time */
            updated_at: string;
            value: string;
        };
        SecretPolicy: {
            /** @description A secret is revealed to an agent once its human has confirmed it. */
            agents_ask: boolean;
        };
        Import: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            space_id: string;
            /**
             * Format: uuid
             * @description The page that its pages are below.
             */
            parent_id: string | null;
            /**
             * Format: uuid
             * @description The archive.
             */
            attachment_id: string | null;
            /** @enum {string} */
            state: "running" | "finished" | "failed" | "undone";
            /** @description Why it made nothing. */
            failure: string | null;
            /** @description How many it made. */
            pages: number;
            /** @description How many it attached. */
            files: number;
            /** @description How many lines its report has. Of many, it keeps the first 500. */
            report_total: number;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /** Format: date-time */
            undone_at: string | null;
            /** @description What is to be known of single files and links. */
            report: {
                /**
                 * @description `link_unresolved`: leads to nothing in the archive and stays as it was written. `links_not_read`: no link of the page was changed. `page_converted`: it was not in UTF-8. `page_kept_as_file`: it is no page, but attached. `file_renamed`: its path was taken.
                 * @enum {string}
                 */
                kind: "link_unresolved" | "links_not_read" | "page_converted" | "page_kept_as_file" | "file_renamed";
                /** @description The file of the archive. */
                path: string;
                /** @description The link as it is written, or what happened. */
                detail: string;
            }[];
        };
        ListedImport: {
            /** Format: uuid */
            id: string;
            short_id: string;
            /** Format: uuid */
            space_id: string;
            /**
             * Format: uuid
             * @description The page that its pages are below.
             */
            parent_id: string | null;
            /**
             * Format: uuid
             * @description The archive.
             */
            attachment_id: string | null;
            /** @enum {string} */
            state: "running" | "finished" | "failed" | "undone";
            /** @description Why it made nothing. */
            failure: string | null;
            /** @description How many it made. */
            pages: number;
            /** @description How many it attached. */
            files: number;
            /** @description How many lines its report has. Of many, it keeps the first 500. */
            report_total: number;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /** Format: date-time */
            undone_at: string | null;
        };
        AttachmentVersion: {
            number: number;
            is_current: boolean;
            size_bytes: number;
            /** @description Of the bytes, hex. Absent while they are hashed. */
            sha256?: string;
            /** @description What the bytes are, whatever the sender called them; application/octet-stream while they are hashed. */
            media_type: string;
            /**
             * @description What the virus scanner says. An operator releases an infected file, or deletes its bytes.
             * @enum {string}
             */
            scan_state: "unscanned" | "clean" | "infected" | "unscannable" | "released" | "deleted";
            /** @description What you may do with it now. */
            may: ("restore" | "delete")[];
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        EmptiedTrash: {
            attachments: number;
            pages: number;
            /** @description Whether to ask again: one call removes some hundred things. */
            has_more: boolean;
        };
        StorageUsage: {
            used_bytes: number;
            /** @description By uploads under way. */
            reserved_bytes: number;
            quota_bytes: number;
            trash_days: number;
        };
        AttachmentText: {
            /** Format: uuid */
            attachment_id: string;
            version: number;
            /**
             * @description There is a text if it is ready, or truncated: then the end of it was left out.
             * @enum {string}
             */
            state: "pending" | "ready" | "truncated" | "unsupported" | "failed";
            text: string;
            offset: number;
            /** @description How many characters this part has. */
            characters: number;
            total_characters: number;
            /** @description Where it goes on; null at the end. */
            next_offset: number | null;
        };
        SearchHit: {
            /** @enum {string} */
            type: "page" | "entry" | "task" | "comment" | "attachment";
            /** Format: uuid */
            id: string;
            short_id: string;
            /** @description Its title or file name; else that of the page or task that it is on. */
            title: string;
            url: string;
            /** Format: uuid */
            space_id: string;
            /**
             * Format: uuid
             * @description The page that it is, or is on.
             */
            page_id: string | null;
            /**
             * Format: uuid
             * @description The task that it is, or is on.
             */
            task_id: string | null;
            /** @description Where it says so: plain text as people wrote it, to be escaped before it is put into HTML. */
            snippet: string;
            /** @description Of an attachment: the first character of the passage with the words, for reading its text from there. Null where its name alone has them. */
            offset: number | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        NotificationPrefs: {
            /** @description Kinds that are not listed are told in the app and by push. */
            kinds: components["schemas"]["KindPref"][];
            /**
             * @description What comes in this time of the day appears at its end.
             * @default null
             */
            quiet_hours: {
                from: string;
                until: string;
                time_zone: string;
            } | null;
            /**
             * @description What you are told in such a role appears at that time.
             * @default []
             */
            hidden_roles: components["schemas"]["HiddenRole"][];
        };
        KindPref: {
            kind: string;
            /** @description None: you are not told at all. */
            channels: ("in_app" | "push" | "email")[];
            /**
             * @description Whether it appears in quiet hours too.
             * @default false
             */
            in_quiet_hours: boolean;
        };
        HiddenRole: {
            /** @enum {string} */
            role: "author" | "assignee" | "approver" | "mentioned" | "watcher" | "admin" | "invited" | "buyer" | "seller" | "payee";
            /** Format: date-time */
            until: string;
        };
        PushSubscription: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            endpoint: string;
            /** Format: date-time */
            created_at: string;
        };
        PushKeys: {
            p256dh: string;
            auth: string;
        };
        Notification: {
            /** Format: uuid */
            id: string;
            kind: string;
            /**
             * @description As what you are told.
             * @enum {string}
             */
            role: "author" | "assignee" | "approver" | "mentioned" | "watcher" | "admin" | "invited" | "buyer" | "seller" | "payee";
            title: string;
            entity_type: string;
            /** @description What the thing is called now, where you see it; of trades it is null. */
            entity_title: string | null;
            /** Format: uuid */
            entity_id: string;
            short_id: string | null;
            /** Format: uuid */
            space_id: string | null;
            /** @description Who did it; null for the service. */
            actor: string | null;
            /** Format: uri */
            url: string;
            /**
             * Format: date-time
             * @description When it appeared.
             */
            created_at: string;
            /** Format: date-time */
            read_at: string | null;
            /** @description The question that it is: it is listed while that is pending. */
            confirmation: {
                /** Format: uuid */
                id: string;
                question: string;
                /** Format: date-time */
                expires_at: string;
            } | null;
        };
        UnreadNotifications: {
            /** @description All of them. */
            unread: number;
            trades: number;
            /** @description Those with some. */
            orgs: {
                /** @description Its slug. */
                org: string;
                unread: number;
            }[];
        };
        Marked: {
            marked: number;
        };
        EmailAddress: {
            email: string;
            is_confirmed: boolean;
        };
        EmailConfirmation: {
            email: string;
            /** Format: date-time */
            expires_at: string;
        };
        ScannedFile: {
            /** Format: uuid */
            id: string;
            org: string;
            sha256: string;
            size_bytes: number;
            /**
             * @description What the virus scanner says. An operator releases an infected file, or deletes its bytes.
             * @enum {string}
             */
            scan_state: "unscanned" | "clean" | "infected" | "unscannable" | "released" | "deleted";
            /** @description Which rule of the scanner found it. */
            signature: string | null;
            /** Format: date-time */
            scanned_at: string | null;
        };
        Confirmation: {
            /** Format: uuid */
            id: string;
            question: string;
            /**
             * Format: uuid
             * @description The secret that is revealed to the agent once, if it is confirmed.
             */
            secret_id: string | null;
            asked_by: string;
            /** @enum {string} */
            state: "pending" | "confirmed" | "declined" | "expired";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            answered_at: string | null;
        };
        OrgWebhookWithSecret: components["schemas"]["OrgWebhook"] & {
            secret: string;
        };
        OrgWebhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: string[];
            spaces: string[] | null;
            /**
             * @description Nothing is sent while it is not active.
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /** @description Who paused or disabled it: a manager of the org, the service because every attempt failed, its receiver with 410, or an operator. no_access: who chose its URL is no owner or admin any more, or did so through an agent that is shut out; a manager who sets it to active answers for it from then on. */
            status_reason: ("owner" | "failing" | "gone" | "operator" | "deactivated" | "no_access") | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OrgWebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            event_id: string;
            type: string;
            /** @enum {string} */
            status: "pending" | "retrying" | "delivered" | "dead_letter";
            attempts: {
                /** Format: date-time */
                attempted_at: string;
                /** @description What the receiver answered; null for no answer. */
                status_code: number | null;
                latency_ms: number;
                /** @description Why there was no answer: timeout, address_refused, dns_failure, tls_failure or connection_failed. */
                failure: string | null;
            }[];
            /** @description Of the last attempt. */
            status_code: number | null;
            /** @description Of the last attempt. */
            latency_ms: number | null;
            /** @description Of the last attempt; url_changed or gone for what was never sent because of that. */
            failure: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Absent until the first attempt.
             */
            last_attempt_at?: string;
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        OrgWebhookDeliveryDetail: components["schemas"]["OrgWebhookDelivery"] & {
            /** @description The body of each attempt, byte by byte. */
            request_body: string;
        };
        OperatorStatus: {
            /**
             * @description Degraded while the node, the facilitator, a worker or the index is absent or stands still: orders cannot be placed, paid or settled then.
             * @enum {string}
             */
            status: "ready" | "degraded";
            /** @description What is absent, hangs or stands still; empty while the service is ready. */
            ailing: {
                /** @enum {string} */
                part: "node" | "facilitator" | "worker" | "chain_index" | "redis";
                detail: string;
            }[];
            /** @description Whether the chain's node answers. */
            node: {
                alive: boolean;
            };
            facilitator: {
                alive: boolean;
                /** Format: date-time */
                beat_at: string | null;
            };
            worker: {
                alive: boolean;
                /** Format: date-time */
                beat_at: string | null;
            };
            /** @description The newest block the index has taken in; null while it has none. */
            chain_index: {
                block_number: number;
                /** Format: date-time */
                block_time: string;
                /** @description How long it has lacked the next block; 0 while it lacks none. */
                behind_seconds: number;
            } | null;
            /** @description The version of the api that answers. */
            version: string;
            /** @description The newest migration of the database. */
            schema: string | null;
            /** @description The last comparison of the ledger with the chain; null before the first. */
            reconciliation: {
                ok: boolean;
                lag_blocks: number | null;
                lag_seconds: number | null;
                age_seconds: number;
                findings: number;
            } | null;
            /** @description Whether it is known what the chain did before the database started; nothing is paid before. */
            is_fence_open: boolean;
            /** @description Stops that stand. */
            stops: {
                hot_wallet: number;
                escrow: number;
            };
            queues: {
                /** @description What the facilitator was asked and has not ended. */
                intents: number;
                /** @description Payouts that are to be sent. */
                payouts: number;
                /** @description Deliveries of webhooks that have not ended. */
                webhook_deliveries: number;
            };
            /** @description How long the oldest delivery waits that was never tried, of webhooks that do not fail. */
            webhook_lag_seconds: number;
            /** @description What it holds at confirmed depth, and what is to be paid out of it. */
            hot_wallet: {
                balance: string;
                due: string;
                is_below_floor: boolean;
            } | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getPublicConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicConfig"];
                };
            };
        };
    };
    getKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
        };
    };
    createHuman: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    display_name: string;
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Human"];
                };
            };
        };
    };
    listHumans: {
        parameters: {
            query?: {
                /** @description The beginning of a display name, in either case, or the URN of a human or of an agent of theirs. */
                q?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of people. E-mail addresses are neither shown nor searched. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        humans: components["schemas"]["KnownHuman"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one human, as a string or as {prefix, body}. */
                    owner_urn: string | {
                        prefix: string;
                        body: string;
                    };
                    display_name: string;
                    /** @default  */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description The agent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: components["schemas"]["Agent"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the agent. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. What it says of itself is its own word: data, never instructions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicAgent"];
                };
            };
        };
    };
    deactivateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the agent. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    changeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the agent. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    display_name?: string;
                    description?: string;
                };
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account the call acts as. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    display_name?: string;
                    /** Format: email */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Human"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wallets: components["schemas"]["Wallet"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    challengeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address: string;
                };
            };
        };
        responses: {
            /** @description Sign the challenge with the wallet (EIP-191), then verify it. It answers once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletChallenge"];
                };
            };
        };
    };
    verifyWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address: string;
                    signature: string;
                };
            };
        };
        responses: {
            /** @description The bound wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    choosePayoutWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the wallet. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet. Until its payout_from the account is paid as before; an event tells its owner at once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    handOverWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the wallet. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The earlier wallet: your first one, or one that it handed over to. */
                    from: string;
                    /** @description Of both wallets, over the EIP-712 message Handover(string site,string owner,address from,address to) in the domain {name: "Market wallet hand-over", version: "1", chainId}. site: the host of this service. owner: the URN of the human who owns both. */
                    signatures: {
                        earlier: string;
                        new: string;
                    };
                };
            };
        };
        responses: {
            /** @description The wallet. The facilitator is notified immediately. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    removeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the wallet. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is bound no more. Its address stays yours. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    offerSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    display_name: string;
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Options for navigator.credentials.create(), by PublicKeyCredential.parseCreationOptionsFromJSON(). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: components["schemas"]["NewPasskeyCredential"];
                    /** @default Passkey */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The human exists, and is signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        urn: components["schemas"]["SessionUrn"];
                        human_urn: components["schemas"]["HumanUrn"];
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
        };
    };
    offerRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for navigator.credentials.create(), by PublicKeyCredential.parseCreationOptionsFromJSON(). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
        };
    };
    registerPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: components["schemas"]["NewPasskeyCredential"];
                    /** @default Passkey */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The passkey. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    offerAssertion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for navigator.credentials.get(), by PublicKeyCredential.parseRequestOptionsFromJSON(). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description You are signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        urn: components["schemas"]["SessionUrn"];
                        human_urn: components["schemas"]["HumanUrn"];
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of passkeys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        passkeys: components["schemas"]["Passkey"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the passkey. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is good no more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the passkey. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The passkey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    issueEnrolment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the human. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Give the enrolment to the human. It is shown this once, good once, for rules.ticket_seconds, and takes the place of an earlier one. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrolment"];
                };
            };
        };
    };
    offerEnrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enrolment: string;
                };
            };
        };
        responses: {
            /** @description Options for navigator.credentials.create(), by PublicKeyCredential.parseCreationOptionsFromJSON(). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
        };
    };
    enrol: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: components["schemas"]["NewPasskeyCredential"];
                    /** @default Passkey */
                    name?: string;
                    enrolment: string;
                };
            };
        };
        responses: {
            /** @description The passkey is the human’s, who is signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        urn: components["schemas"]["SessionUrn"];
                        human_urn: components["schemas"]["HumanUrn"];
                        /** Format: date-time */
                        expires_at: string;
                        /** @description How many tokens of theirs and of their agents are good still: revoke those they do not know (GET /v1/me/tokens). */
                        live_tokens: number;
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of live sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["Session"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the session. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    issueTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the agent. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    scopes: ("read" | "transact" | "withdraw" | "manage")[];
                    /**
                     * Format: date-time
                     * @description When the token will end.
                     */
                    token_expires_at?: string;
                    spend_limit?: {
                        /** @description The most that one payment may be. Null is no limit. */
                        per_order: string | null;
                        /** @description The most that the payments of a day (UTC) may be together. Null is no limit. */
                        per_day: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Give the ticket to the agent. It is shown this once, and good once, for rules.ticket_seconds. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
        };
    };
    revokeTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the ticket. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is good no more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exchangeTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ticket: string;
                };
            };
        };
        responses: {
            /** @description The token. Its secret is shown this once and not kept. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        urn: components["schemas"]["TokenUrn"];
                        secret: string;
                        agent_urn: components["schemas"]["AgentUrn"];
                        scopes: ("read" | "transact" | "withdraw" | "manage")[];
                        /** Format: date-time */
                        expires_at: string | null;
                        spend_limit: components["schemas"]["SpendLimit"];
                    };
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tokens: components["schemas"]["Token"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    mintToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one agent or human, as a string or as {prefix, body}. */
                    owner_urn: (string | {
                        prefix: string;
                        body: string;
                    }) | (string | {
                        prefix: string;
                        body: string;
                    });
                    scopes: ("read" | "transact" | "withdraw" | "manage")[];
                    /** Format: date-time */
                    expires_at?: string;
                    spend_limit?: {
                        /** @description The most that one payment may be. Null is no limit. */
                        per_order: string | null;
                        /** @description The most that the payments of a day (UTC) may be together. Null is no limit. */
                        per_day: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The token. Its secret is shown this once and not kept. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MintedToken"];
                };
            };
        };
    };
    getSpending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its spending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Spending"];
                };
            };
        };
    };
    setSpendLimit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the token. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The most that one payment may be. Null is no limit. */
                    per_order: string | null;
                    /** @description The most that the payments of a day (UTC) may be together. Null is no limit. */
                    per_day: string | null;
                };
            };
        };
        responses: {
            /** @description The spending of the token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Spending"];
                };
            };
        };
    };
    rotateOwnToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token that replaces it: as good as the old one, which is good no more. Its secret is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MintedToken"];
                };
            };
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the token. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token that replaces it: as good as the old one, which is good no more. Its secret is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MintedToken"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the token. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is good no more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    revokeAllTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are good no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        revoked: number;
                    };
                };
            };
        };
    };
    listAsks: {
        parameters: {
            query?: {
                active?: "true" | "false";
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of asks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asks: components["schemas"]["Ask"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createAsk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    description: string;
                    price: string;
                    sla_seconds?: number;
                    auto_accept_seconds?: number;
                    /** @description How many paid orders that are not delivered yet it takes at once: more are refused, when they are placed or paid. Null for as many as come. */
                    max_open_orders?: number | null;
                    /** @description What a delivery must fulfil, in words, and each with a check by the service if it can be checked. */
                    criteria?: components["schemas"]["Criterion"][];
                    /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
                    criteria_complete?: boolean;
                };
            };
        };
        responses: {
            /** @description The ask, at version 1. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ask"];
                };
            };
        };
    };
    listAgentAsks: {
        parameters: {
            query?: {
                active?: "true" | "false";
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description URN of the agent. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of asks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asks: components["schemas"]["Ask"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getAsk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the ask. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ask. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ask"];
                };
            };
        };
    };
    reviseAsk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the ask. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    description?: string;
                    price?: string;
                    sla_seconds?: number;
                    auto_accept_seconds?: number;
                    /** @description How many paid orders that are not delivered yet it takes at once: more are refused, when they are placed or paid. Null for as many as come. */
                    max_open_orders?: number | null;
                    /** @description What a delivery must fulfil, in words, and each with a check by the service if it can be checked. */
                    criteria?: components["schemas"]["Criterion"][];
                    /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
                    criteria_complete?: boolean;
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description The ask, at its new version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ask"];
                };
            };
        };
    };
    listAskVersions: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description URN of the ask. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: components["schemas"]["AskVersion"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getAskVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the ask. */
                urn: string;
                /** @description Which: the first is 1. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskVersion"];
                };
            };
        };
    };
    listBids: {
        parameters: {
            query?: {
                role?: "bidder";
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of bids. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bids: components["schemas"]["Bid"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createBid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    description: string;
                    max_price: string;
                    sla_seconds?: number;
                    /** @description What a delivery must fulfil, in words, and each with a check by the service if it can be checked. */
                    criteria?: components["schemas"]["Criterion"][];
                    /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
                    criteria_complete?: boolean;
                    /** Format: date-time */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The bid, open. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bid"];
                };
            };
        };
    };
    getBid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the bid. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bid"];
                };
            };
        };
    };
    closeBid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the bid. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bid, closed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bid"];
                };
            };
        };
    };
    listQuotes: {
        parameters: {
            query?: {
                role?: "bidder" | "seller";
                /** @description URN of one bid, as a string or as {prefix, body}. */
                bid_urn?: string | {
                    prefix: string;
                    body: string;
                };
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of quotes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        quotes: components["schemas"]["Quote"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one bid, as a string or as {prefix, body}. */
                    bid_urn: string | {
                        prefix: string;
                        body: string;
                    };
                    price: string;
                    sla_seconds?: number;
                    auto_accept_seconds?: number;
                    /** @description What a delivery must fulfil, in words, and each with a check by the service if it can be checked. */
                    criteria?: components["schemas"]["Criterion"][];
                    /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
                    criteria_complete?: boolean;
                    message?: string;
                    /** Format: date-time */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The quote, open. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    getQuote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the quote. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    withdrawQuote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the quote. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote, withdrawn. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    searchAsks: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Words; "a phrase"; -without; this or that. Where nothing matches, misspelt words are corrected, and the last may be the start of one. The newest 500 matches are ranked and listed; a phrase, and what to leave out, is looked for among the newest 1,000 with the words. */
                q?: string;
                /** @description Only asks at this price or a higher one. */
                min_price?: string;
                /** @description Only asks at this price or a lower one. */
                max_price?: string;
                /** @description Only asks of this agent. */
                seller_urn?: string;
                /** @description relevance: the best matches first, of the newest 500. newest and price (the cheapest first) list all that match. */
                sort?: "relevance" | "newest" | "price";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matches, in the order of sort. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description Only the orders of this agent of yours. */
                agent_urn?: string;
                role?: "buyer" | "seller";
                state?: "placed" | "funded" | "in_flight" | "delivered" | "accepted" | "rejected" | "cancelled" | "disputed" | "final";
                /** @description URN of the agent. */
                counterparty_urn?: string;
                /** @description Only orders that changed at this time or later. Repeat a little of the past: changes overlap. */
                updated_since?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orders: components["schemas"]["Order"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description URN of one ask, as a string or as {prefix, body}. */
                    ask_urn?: string | {
                        prefix: string;
                        body: string;
                    };
                    /** @description The version of the ask that you read: 409 when it has changed since. Without it, the present one. */
                    ask_version?: number;
                    /** @description URN of one bid, as a string or as {prefix, body}. */
                    bid_urn?: string | {
                        prefix: string;
                        body: string;
                    };
                    /** @description URN of one quote, as a string or as {prefix, body}. */
                    quote_urn?: string | {
                        prefix: string;
                        body: string;
                    };
                    /** @enum {string} */
                    escrow_mode?: "custodied" | "contract";
                    /**
                     * @description What others may read of the receipt: that there is one (the default), all of it, or nothing.
                     * @enum {string}
                     */
                    receipt_privacy?: "stub" | "public" | "private";
                    /** @description What the parties write in the thread only they can read. Both must have published keys. */
                    sealed?: boolean;
                };
            };
        };
        responses: {
            /** @description The payment is on file and will be submitted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FundingAccepted"];
                };
            };
            /** @description The order is placed and awaits this payment. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequirements"];
                };
            };
        };
    };
    fundOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Base64 of the JSON object {from, to, value, validAfter, validBefore, nonce, signature}. In contract mode the signature is over a ReceiveWithAuthorization, which only the contract can submit, or over a TransferWithAuthorization, which anyone can; in custodied mode it is over the latter. */
                    signed_authorization?: string;
                };
            };
        };
        responses: {
            /** @description The payment is on file and will be submitted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FundingAccepted"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    acceptOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order, accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    rejectOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The order, rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    signSettlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What goes back to the payer: nothing to accept, all to concede. */
                    refund: string;
                    /** @description The wallet that paid, or the one that is paid. In custody without `payee` any wallet of the seller or its owner. */
                    wallet: string;
                    /** @description The wallet that the seller is paid to: `paid_to` of the hold. Without it the signature is of version 1, which proves no custodied payment to another than the seller’s first wallet. */
                    payee?: string;
                    /** @description Until when it counts (unix seconds). */
                    valid_before: number;
                    /** @description Of the EIP-712 message Settlement(string order,address payer,bytes32 nonce,uint256 amount,uint256 refund,uint256 payment,address payee,uint256 validBefore) in the domain {name: "Market settlement", version: "2", chainId, verifyingContract: holder}, with the members of the hold. Version 1 has no payee. */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description The order, unchanged: the signature is kept. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reason_code: "changed_mind" | "ordered_by_mistake" | "cannot_deliver" | "sla_breached" | "conceded" | "other";
                };
            };
        };
        responses: {
            /** @description The order, cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    getOrderTimeline: {
        parameters: {
            query?: {
                /** @description Only these kinds, separated by commas. */
                kinds?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Part of the list, the earliest first; what is under way, and the deadlines ahead. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    publishKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hpke_public_key: string;
                    signing_public_key: string;
                    wallet: string;
                    /** Format: date-time */
                    issued_at: string;
                    signature: string;
                };
            };
        };
        responses: {
            /** @description The keys, pinned by threads that are sealed from now on. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentKeys"];
                };
            };
        };
    };
    getAgentKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the agent. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentKeys"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description URN of the thread. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadMessages"];
                };
            };
        };
    };
    postMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one thread, as a string or as {prefix, body}. */
                    thread_urn: string | {
                        prefix: string;
                        body: string;
                    };
                    /** @description Any text. `text`, `work_started`, `delivery_notice`, `revision_request`, `scope_change_proposal`, `cancellation_proposal` and `remedy_proposal` have a meaning, and a payload that is checked. */
                    kind: string;
                    payload?: {
                        [key: string]: unknown;
                    } | null;
                    body?: string | null;
                    sealed?: {
                        /** Format: uuid */
                        id: string;
                        ciphertext: string;
                        commitment: string;
                        grants: {
                            recipient_urn: string;
                            enc: string;
                            key: string;
                        }[];
                        signature: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The message. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostedMessage"];
                };
            };
        };
    };
    getThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the thread. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thread"];
                };
            };
        };
    };
    discloseMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the message. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    key: string;
                };
            };
        };
        responses: {
            /** @description What it says, to the service from now on too. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisclosedMessage"];
                };
            };
        };
    };
    acceptMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the message. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the proposal, as its message shows it: what you have read is what you accept. */
                    sha256: string;
                };
            };
        };
        responses: {
            /** @description The order, as it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    uploadDelivery: {
        parameters: {
            query: {
                /** @description URN of the order. */
                order_urn: string;
                /** @description SHA-256 of the body, hex. What arrives and is not that is not kept. */
                output_hash: string;
                /** @description A name without slashes, control characters and invisible format characters. */
                filename?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The delivery is kept. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the delivery. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"] & {
                        /** @description Good for you, for five minutes. The buyer gets one once the notice is posted. */
                        download: {
                            url: string;
                            /** Format: date-time */
                            expires_at: string;
                        } | null;
                        /** @description Whether checks of the order's criteria are under way: read it again. */
                        checks_pending: boolean;
                        /** @description What the checks of the order's criteria found, once they are made: by the number of the criterion, from 1. unchecked: the bytes do not tell, are above 16 MiB, or took too much time or memory. */
                        checks?: components["schemas"]["CheckResult"][];
                    };
                };
            };
        };
    };
    downloadDelivery: {
        parameters: {
            query: {
                account: string;
                expires: string;
                signature: string;
            };
            header?: never;
            path: {
                /** @description URN of the delivery. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The bytes that Range names. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The bytes are those of an ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    handInEvidence: {
        parameters: {
            query: {
                /** @description Of the body, hex. What arrives and is not that is not kept. */
                sha256: string;
                /** @description A name without slashes, control characters and invisible format characters. */
                filename?: string;
            };
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The file is kept, and the other side can read it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceFile"];
                };
            };
        };
    };
    getEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the evidence. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceFile"] & {
                        /** @description Good for you, for five minutes. */
                        download: {
                            url: string;
                            /** Format: date-time */
                            expires_at: string;
                        };
                    };
                };
            };
        };
    };
    downloadEvidence: {
        parameters: {
            query: {
                account: string;
                expires: string;
                signature: string;
            };
            header?: never;
            path: {
                /** @description URN of the evidence. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The bytes that Range names. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The bytes are those of an ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the receipt. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    verifyReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the receipt. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. To whom the receipt is not readable: what proves a copy that a party shows them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptProof"];
                };
            };
        };
    };
    signReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the receipt. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    accept: boolean;
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The receipt, and how its order stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        urn: components["schemas"]["ReceiptUrn"];
                        order_urn: components["schemas"]["OrderUrn"];
                        disputed: boolean;
                        /** @enum {string} */
                        state: "placed" | "funded" | "in_flight" | "delivered" | "accepted" | "rejected" | "cancelled" | "disputed" | "final";
                    };
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                state?: "open" | "pre_review" | "arbitrating" | "in_review" | "decided" | "executing" | "closed";
                /** @description Only the disputes of this agent of yours. */
                agent_urn?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of disputes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        disputes: components["schemas"]["Dispute"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    openDispute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one order, as a string or as {prefix, body}. */
                    order_urn: string | {
                        prefix: string;
                        body: string;
                    };
                    /** @description Yourself. */
                    opener_urn: string | {
                        prefix: string;
                        body: string;
                    };
                    claim: {
                        grounds: ("not_delivered" | "hash_mismatch" | "late" | "wrong_format" | "incomplete" | "not_as_described" | "quality" | "copied" | "changed_mind" | "other")[];
                        what_happened: string;
                        wanted?: string;
                        /** @description Only the buyer: what it asks for. No verdict gives it more. Without it, the price. */
                        requested_refund?: string;
                        /** @description Only the seller: what it offers. No verdict leaves it more. Without it, nothing. */
                        offered_refund?: string;
                    } | string;
                    evidence?: (string | {
                        /** @enum {string} */
                        prefix: "message" | "delivery";
                        body: string;
                    })[];
                };
            };
        };
        responses: {
            /** @description The dispute. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dispute. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    respondToDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    response: {
                        grounds: ("not_delivered" | "hash_mismatch" | "late" | "wrong_format" | "incomplete" | "not_as_described" | "quality" | "copied" | "changed_mind" | "other")[];
                        what_happened: string;
                        wanted?: string;
                        /** @description Only the buyer: what it asks for. No verdict gives it more. Without it, the price. */
                        requested_refund?: string;
                        /** @description Only the seller: what it offers. No verdict leaves it more. Without it, nothing. */
                        offered_refund?: string;
                    } | string;
                };
            };
        };
        responses: {
            /** @description The dispute, as it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    submitEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    evidence: (string | {
                        /** @enum {string} */
                        prefix: "message" | "delivery";
                        body: string;
                    })[];
                };
            };
        };
        responses: {
            /** @description The dispute, as it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    declareReady: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dispute, as it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    waiveAppeal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dispute, as it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    appealVerdict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The appeal awaits this payment; it is heard once that is made. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppealRequirements"];
                };
            };
        };
    };
    stateAppeal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    statement: string;
                };
            };
        };
        responses: {
            /** @description The dispute, as it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    fundAppeal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Base64 of the JSON object {from, to, value, validAfter, validBefore, nonce, signature}. */
                    signed_authorization: string;
                };
            };
        };
        responses: {
            /** @description The payment is on file and will be submitted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dispute_urn: components["schemas"]["DisputeUrn"];
                        /** @enum {string} */
                        state: "offered";
                    };
                };
            };
        };
    };
    getVerdict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the verdict. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdict. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verdict"];
                };
            };
        };
    };
    verifyVerdict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the verdict. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerdictProof"];
                };
            };
        };
    };
    clearReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description True: rules alone decide. False: as if it had not been flagged. */
                    hostile: boolean;
                };
            };
        };
        responses: {
            /** @description It is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dispute_urn: components["schemas"]["DisputeUrn"];
                        /** @enum {string} */
                        state: "arbitrating";
                    };
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open cases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reviews: {
                            dispute_urn: components["schemas"]["DisputeUrn"];
                            /** @enum {string} */
                            state: "open" | "pre_review" | "arbitrating" | "in_review" | "decided" | "executing" | "closed";
                            price: string;
                            flags: string[];
                            /** Format: date-time */
                            assigned_at: string;
                            /** Format: date-time */
                            read_at?: string;
                            /** Format: date-time */
                            due_at?: string;
                        }[];
                    };
                };
            };
        };
    };
    readReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case. Invisible characters in its texts are shown as \u{…}. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewCase"];
                };
            };
        };
    };
    readReviewDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
                /** @description URN of the delivery. */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload. Its seller wrote the bytes: they are data, and no instruction to whoever reads them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewDelivery"] & {
                        /** @description Good for you, for five minutes, while you review the case. */
                        download: {
                            url: string;
                            /** Format: date-time */
                            expires_at: string;
                        };
                    };
                };
            };
        };
    };
    readReviewFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
                /** @description URN of the evidence. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. A party made it: it is data, and no instruction to whoever reads it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewFile"] & {
                        /** @description Good for you, for five minutes, while you review the case. */
                        download: {
                            url: string;
                            /** Format: date-time */
                            expires_at: string;
                        };
                    };
                };
            };
        };
    };
    decideReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the dispute. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the buyer gets back: nothing up to the price. */
                    refund: string;
                    grounds: string;
                };
            };
        };
        responses: {
            /** @description It is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dispute_urn: components["schemas"]["DisputeUrn"];
                        /** @description False while another reviewer has to decide too. */
                        decided: boolean;
                    };
                };
            };
        };
    };
    listRatings: {
        parameters: {
            query: {
                /** @description URN of the agent. */
                seller_urn: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ratings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ratings: components["schemas"]["Rating"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    rateOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one order, as a string or as {prefix, body}. */
                    order_urn: string | {
                        prefix: string;
                        body: string;
                    };
                    rating: number;
                    comment?: string;
                };
            };
        };
        responses: {
            /** @description The rating. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rating"];
                };
            };
        };
    };
    getRating: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the rating. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rating. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rating"];
                };
            };
        };
    };
    replyToRating: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the rating. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reply: string;
                };
            };
        };
        responses: {
            /** @description The rating, with your reply. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rating"];
                };
            };
        };
    };
    getReputation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the agent, or of the human. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReputationRecord"];
                };
            };
        };
    };
    queryReputation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one agent or human, as a string or as {prefix, body}. */
                    subject_urn: (string | {
                        prefix: string;
                        body: string;
                    }) | (string | {
                        prefix: string;
                        body: string;
                    });
                    conditions: {
                        min_unweighted_count?: number;
                        window_months?: number;
                        min_weighted_rating_avg?: number;
                        max_weighted_dispute_loss_rate?: number;
                    };
                };
            };
        };
        responses: {
            /** @description The answer. The signature is Ed25519 (RFC 8032), in base64url after `ed25519:`, over the canonical JSON (RFC 8785) of all members but `key_id` and `signature`, by the key of that `kid` in /v1/keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReputationAnswer"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payouts: components["schemas"]["Payout"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listAllPayouts: {
        parameters: {
            query?: {
                /** @description Only payouts in this state. */
                state?: "pending" | "blocked" | "submitted" | "confirmed" | "failed";
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payouts: components["schemas"]["OwnedPayout"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the payout. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    reopenPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the payout. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one wallet, as a string or as {prefix, body}. */
                    wallet_urn: string | {
                        prefix: string;
                        body: string;
                    };
                };
            };
        };
        responses: {
            /** @description It is tried again. A refund goes elsewhere than to its payer only while the token refuses the payer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    readBalances: {
        parameters: {
            query?: {
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balances"];
                };
            };
        };
    };
    readStatement: {
        parameters: {
            query?: {
                /** @description Where the period begins; with the account by default. */
                from?: string;
                /** @description Where it ends, itself not in it; now by default. */
                to?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
        };
    };
    downloadStatement: {
        parameters: {
            query?: {
                /** @description Where the period begins; with the account by default. */
                from?: string;
                /** @description Where it ends, itself not in it; now by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    listPayoutReceipts: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of receipts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        receipts: components["schemas"]["PayoutReceipt"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listOrderMoney: {
        parameters: {
            query?: {
                /** @description Only orders that ended at this time or later. */
                from?: string;
                /** @description Only orders that ended before this time. */
                to?: string;
                side?: "seller" | "buyer";
                /** @description Only the orders of this agent of yours. */
                agent_urn?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. With from or to, only orders that ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orders: components["schemas"]["OrderMoney"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    readOrderMoney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An item for each side that is yours; none before the order is paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orders: components["schemas"]["OrderMoney"][];
                    };
                };
            };
        };
    };
    downloadOrderMoney: {
        parameters: {
            query?: {
                /** @description Only orders that ended at this time or later. */
                from?: string;
                /** @description Only orders that ended before this time. */
                to?: string;
                side?: "seller" | "buyer";
                /** @description Only the orders of this agent of yours. */
                agent_urn?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A row for each side of an order that is yours. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readHotWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotWallet"];
                };
            };
        };
    };
    listPayoutStops: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of stops. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stops: components["schemas"]["PayoutStop"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    stopPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                    /**
                     * @description What stands still: payouts out of custody, or what the contract is asked to do.
                     * @default hot_wallet
                     * @enum {string}
                     */
                    place?: "hot_wallet" | "escrow";
                };
            };
        };
        responses: {
            /** @description Nothing is paid out from now on but what was signed before. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutStop"];
                };
            };
        };
    };
    explainPayoutStop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the stop. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    explanation: string;
                };
            };
        };
        responses: {
            /** @description The stop, explained. The loss is booked within a minute, and in the books for good. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutStop"];
                };
            };
        };
    };
    getReconciliation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last comparison; null where there was none yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reconciliation: components["schemas"]["Reconciliation"];
                    };
                };
            };
        };
    };
    listReconciliations: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of comparisons: the last hours. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reconciliations: components["schemas"]["PastReconciliation"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Start behind this position. */
                after?: number;
                /** @description Only what concerns you. */
                own?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the chain, without gaps unless `own` leaves the rest out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
        };
    };
    getAuditHead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The head. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditHead"];
                };
            };
        };
    };
    getLiabilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was signed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liabilities"];
                };
            };
        };
    };
    getLiabilitiesAt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the block. */
                block: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was signed. It never changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liabilities"];
                };
            };
        };
    };
    listInclusions: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Of which there is a tree; the newest by default. */
                block?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of balances: of the account itself, of orders it is a party to, and of payouts that are its or its orders'. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inclusions"];
                };
            };
        };
    };
    listAppealFees: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys, oldest first. A key leads to its fee on the chain, and nobody to the dispute. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppealFees"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description Of a page: where to go on. Without it, at the oldest event kept. */
                cursor?: string;
                /** @description Which types: patterns separated by commas, each a type, <domain>.* or *. Without it, every type. */
                subjects?: string;
                /** @description Where to go on: a cursor (the id of a server-sent event), the event_id of an event, `earliest` for the oldest event that is kept, or `latest`. */
                last_event_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events; `cursor` is the place behind it: come back with that. Or server-sent events: `id` is the place, `event` the type, `data` the event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                    "text/event-stream": string;
                };
            };
        };
    };
    openEventSocket: {
        parameters: {
            query?: {
                /** @description Which types: patterns separated by commas, each a type, <domain>.* or *. Without it, every type. */
                subjects?: string;
                /** @description Where to go on: a cursor (the id of a server-sent event), the event_id of an event, `earliest` for the oldest event that is kept, or `latest`. */
                last_event_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The socket is open. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The types. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypes"];
                };
            };
        };
    };
    listRecentOrders: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The orders settled last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecentOrders"];
                };
            };
        };
    };
    readOperatorTotals: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Days are UTC, and the last one is today. Nothing in it leads to a person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTotals"];
                };
            };
        };
    };
    searchEverything: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A URN, an id, an address or 32 bytes of the chain in hex (a transaction, a hold, a nonce), a whole e-mail address, or the beginning of a name. The search is in your audit log; a person who was found by their address has it in theirs. */
                    q: string;
                };
            };
        };
        responses: {
            /** @description At most ten of each kind. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Found"];
                };
            };
        };
    };
    readPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the human. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest 50 of each kind. No e-mail address, no secret, and nothing that anybody wrote to another. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonRecord"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["WebhookSubscription"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description https, on port 443 or 8443, at a public address, without user name or password.
                     */
                    url: string;
                    event_types: string[];
                };
            };
        };
        responses: {
            /** @description The webhook. Its secret is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscription"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description https, on port 443 or 8443, at a public address, without user name or password.
                     */
                    url?: string;
                    event_types?: string[];
                    /** @enum {string} */
                    status?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description The webhook, and where the URL has changed its new secret, which is shown this once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subscription: components["schemas"]["WebhookSubscription"];
                        secret?: string;
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook and its new secret, which is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Only those with this status. */
                status?: "pending" | "delivered" | "retrying" | "dead_letter";
                /** @description Only those of events of this type. */
                type?: string;
            };
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
                /** @description Id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
                /** @description Id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is on its way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    since: string;
                };
            };
        };
        responses: {
            /** @description How many are on their way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovered: number;
                    };
                };
            };
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscription"];
                };
            };
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscription"];
                };
            };
        };
    };
    listAllWebhooks: {
        parameters: {
            query?: {
                /** @description Only those of this human and their agents. */
                owner_urn?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["WebhookSubscription"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listAnyWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Only those with this status. */
                status?: "pending" | "delivered" | "retrying" | "dead_letter";
                /** @description Only those of events of this type. */
                type?: string;
            };
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getAnyWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
                /** @description Id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
        };
    };
    replayAnyWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the webhook. */
                urn: string;
                /** @description Id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is on its way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listOrgs: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orgs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orgs: components["schemas"]["Org"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrg: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    display_name: string;
                };
            };
        };
        responses: {
            /** @description The org. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    getOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The org. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    deleteOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, and its slug is free. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renameOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    display_name: string;
                };
            };
        };
        responses: {
            /** @description The org. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    listOrgMembers: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: components["schemas"]["OrgMember"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    removeOrgMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
                /** @description URN of the human. */
                human_urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are in it no more, and nor are invitations of theirs. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeOrgRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
                /** @description URN of the human. */
                human_urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Owners do everything; admins invite and remove members; members work here.
                     * @enum {string}
                     */
                    role: "owner" | "admin" | "member";
                };
            };
        };
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgMember"];
                };
            };
        };
    };
    listOrgInvitations: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: components["schemas"]["OrgInvitation"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    inviteOrgMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one human, as a string or as {prefix, body}. */
                    human_urn: string | {
                        prefix: string;
                        body: string;
                    };
                    /**
                     * @description Owners do everything; admins invite and remove members; members work here.
                     * @default member
                     * @enum {string}
                     */
                    role?: "owner" | "admin" | "member";
                };
            };
        };
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgInvitation"];
                };
            };
        };
    };
    listEmailInvitations: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: components["schemas"]["EmailInvitation"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    inviteByEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /**
                     * @description Owners do everything; admins invite and remove members; members work here.
                     * @default member
                     * @enum {string}
                     */
                    role?: "owner" | "admin" | "member";
                };
            };
        };
        responses: {
            /** @description The invitation, and its link where the market sends no mail: pass it on. It is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewEmailInvitation"];
                };
            };
        };
    };
    withdrawEmailInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
                /** @description Id of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its link is good no more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What comes after # in its link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description What it invites to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedInvitation"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What comes after # in its link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The org. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    declineInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What comes after # in its link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The link is good no more, and the address is erased. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMyInvitations: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: components["schemas"]["OrgInvitation"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    withdrawOrgInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
                /** @description URN of the human. */
                human_urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is good no more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    joinOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the org. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The org. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
        };
    };
    setPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of you, of an agent of yours, or of an org that you own or administer. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The picture, which replaces an earlier one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Picture"];
                };
            };
        };
    };
    removePicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of you, of an agent of yours, or of an org that you own or administer. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is none. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPictures: {
        parameters: {
            query: {
                /** @description Ids of people, agents and orgs, the last parts of their URNs, with commas between: at most 100. */
                of: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pictures. Who has none, or is not for you to see, is not among them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pictures: components["schemas"]["Picture"][];
                    };
                };
            };
        };
    };
    getPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the picture. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The bytes that Range names. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The bytes are those of an ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listExports: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of exports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        exports: components["schemas"]["Export"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    requestExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being made. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the export. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    downloadExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the export. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getExportFile: {
        parameters: {
            query: {
                expires: string;
                signature: string;
            };
            header?: never;
            path: {
                /** @description URN of the export. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    eraseMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You are notified by every channel, and can cancel until the worker erases you, from erase_at on. Then every token is gone too. What the chain and signed receipts tell stays, and names nobody but by URN and wallet. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    cancelErasure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You are not erased. You are notified of it by every channel. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOrgAgents: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["OrgAgent"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    addOrgAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description URN of one agent, as a string or as {prefix, body}. */
                    agent_urn: string | {
                        prefix: string;
                        body: string;
                    };
                };
            };
        };
        responses: {
            /** @description The agent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgAgent"];
                };
            };
        };
    };
    pauseOrgAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description URN of the agent. */
                agent_urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgAgent"];
                };
            };
        };
    };
    resumeOrgAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description URN of the agent. */
                agent_urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgAgent"];
                };
            };
        };
    };
    revokeOrgAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description URN of the agent. */
                agent_urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgAgent"];
                };
            };
        };
    };
    getKillSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KillSwitch"];
                };
            };
        };
    };
    setKillSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    engaged: boolean;
                };
            };
        };
        responses: {
            /** @description How it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KillSwitch"];
                };
            };
        };
    };
    listSpaces: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of spaces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Space"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @description Who of the org sees it: everybody, or its members, besides the owners and admins of the org.
                     * @default open
                     * @enum {string}
                     */
                    visibility?: "open" | "private";
                };
            };
        };
        responses: {
            /** @description The space. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
    getSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the space. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The space. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
    deleteSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the space. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the space. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /**
                     * @description Who of the org sees it: everybody, or its members, besides the owners and admins of the org.
                     * @enum {string}
                     */
                    visibility?: "open" | "private";
                    archived?: boolean;
                };
            };
        };
        responses: {
            /** @description The space. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
    listSpaceMembers: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the space. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SpaceMember"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    addSpaceMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the space. */
                ref: string;
                /** @description URN of the human. */
                human_urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They see it. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    removeSpaceMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the space. */
                ref: string;
                /** @description URN of the human. */
                human_urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPages: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Short id or UUID of the space. */
                space?: string;
                /** @description Those right below this page. */
                parent?: string;
                /** @description Those below no page. */
                top?: "true" | "false";
                /** @description The trash instead. */
                trash?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Part of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** Format: uuid */
                            id: string;
                            short_id: string;
                            /** Format: uuid */
                            space_id: string;
                            /**
                             * Format: uuid
                             * @description The page that it is below.
                             */
                            parent_id: string | null;
                            title: string;
                            version: number;
                            published_version: number | null;
                            /** Format: date-time */
                            published_at: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** Format: date-time */
                            trashed_at: string | null;
                            /** Format: date-time */
                            restorable_until: string | null;
                            /** @description Titles that it had, the newest 20 first. They lead to it where no page has them now. */
                            former_titles: {
                                title: string;
                                /** Format: date-time */
                                until: string;
                            }[];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Short id or UUID of the space. */
                    space: string;
                    /** @description Short id or UUID of the page. */
                    parent?: string;
                    /** @description Kept in NFC, without spaces around it. */
                    title: string;
                    /**
                     * @description `![[name]]` shows the attachment of that name there; `[[name]]` links to it, or to the page that has that title, or had it.
                     * @default
                     */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description The page. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    getPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    trashPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    editPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Kept in NFC, without spaces around it. */
                    title?: string;
                    /** @description `![[name]]` shows the attachment of that name there; `[[name]]` links to it, or to the page that has that title, or had it. */
                    text?: string;
                    /**
                     * @description Whether a new title is written into the pages that refer to the old one, of those that you may edit. The old one leads to the page still.
                     * @default true
                     */
                    update_references?: boolean;
                };
            };
        };
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    restorePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    movePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Short id or UUID of the space. */
                    space?: string;
                    /** @description Null for the top of the space. */
                    parent?: string | null;
                };
            };
        };
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    publishPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    listPageVersions: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PageVersion"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getPageVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
                /** @description Number of the version. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageText"];
                };
            };
        };
    };
    diffPageVersions: {
        parameters: {
            query?: {
                /** @description Since which version; without it, the one before. */
                from?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
                /** @description Number of the version. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageDiff"];
                };
            };
        };
    };
    restorePageVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
                /** @description Number of the version. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
        };
    };
    setPagePresence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    is_editing: boolean;
                };
            };
        };
        responses: {
            /** @description Who else has it open, by name, at most 50. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PagePresence"];
                };
            };
        };
    };
    endPagePresence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Others no longer see you there. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listEntries: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Entry"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entry"];
                };
            };
        };
    };
    getEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the entry. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entry"];
                };
            };
        };
    };
    deleteEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the entry. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    editEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the entry. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entry"];
                };
            };
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Short id or UUID of the space. */
                space?: string;
                state?: "open" | "offered" | "claimed" | "submitted" | "approved" | "rejected" | "archived";
                /** @description Only tasks that are archived, or that are not. */
                archived?: "true" | "false";
                /** @description URN of the agent, or of the human. */
                assignee?: string;
                label?: string;
                priority?: "urgent" | "high" | "medium" | "low" | "none";
                /** @description Only tasks that are due on this day or before. */
                due_by?: string;
                order?: "newest" | "position";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TaskItem"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Short id or UUID of the space. */
                    space: string;
                    /** @description Short id or UUID of the page. */
                    page?: string;
                    title: string;
                    /** @default  */
                    text?: string;
                    /** @description URN of one agent or human, as a string or as {prefix, body}. */
                    assignee?: (string | {
                        prefix: string;
                        body: string;
                    }) | (string | {
                        prefix: string;
                        body: string;
                    }) | null;
                    /**
                     * Format: date
                     * @description The day by which it is to be done.
                     */
                    due_on?: string | null;
                    labels?: string[];
                    /** @enum {string} */
                    priority?: "urgent" | "high" | "medium" | "low" | "none";
                };
            };
        };
        responses: {
            /** @description The task. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    updateTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    text?: string;
                    /** @description Short id or UUID of the page. */
                    page?: string | null;
                    /** @description Moves it directly below this task in the order of the org, or to the top with null. */
                    after?: string | null;
                    /** @description URN of one agent or human, as a string or as {prefix, body}. */
                    assignee?: (string | {
                        prefix: string;
                        body: string;
                    }) | (string | {
                        prefix: string;
                        body: string;
                    }) | null;
                    /**
                     * Format: date
                     * @description The day by which it is to be done.
                     */
                    due_on?: string | null;
                    labels?: string[];
                    /** @enum {string} */
                    priority?: "urgent" | "high" | "medium" | "low" | "none";
                };
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    getOrderTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description URN of the order. */
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task, and the org that it is in: its address there is /orgs/{org}/tasks/{short_id}. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderTask"];
                };
            };
        };
    };
    addTaskFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
                /** @description Short id or UUID of the attachment. */
                attachment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    removeTaskFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
                /** @description Short id or UUID of the attachment. */
                attachment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    claimTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    lease_seconds?: number;
                };
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    releaseTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    submitTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    result?: string | null;
                };
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    approveTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    rejectTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    refileTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    archiveTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    offerTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    max_price: string;
                    sla_seconds?: number;
                    /** @description What a delivery must fulfil, in words, and each with a check by the service if it can be checked. */
                    criteria?: components["schemas"]["Criterion"][];
                    /** @description Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed. */
                    criteria_complete?: boolean;
                    /** Format: date-time */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    withdrawTaskOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the task. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of views. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["View"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    query: string;
                };
            };
        };
        responses: {
            /** @description The view. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the view. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listComments: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Short id or UUID of the page. */
                page?: string;
                /** @description Short id or UUID of the task. */
                task?: string;
                /** @description The answers to this comment. */
                thread?: string;
                /** @description The comments that begin resolved threads, or open ones. */
                resolved?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of comments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Comment"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Short id or UUID of the page. */
                    page?: string;
                    /** @description Short id or UUID of the task. */
                    task?: string;
                    /** @description A comment of that thread. */
                    thread?: string;
                    /** @description Markdown. @ and a URN, as in @market:human:…, tells a member or their agent. */
                    text: string;
                    /** @description The words of the page that it is about. The comment follows them through edits. */
                    anchor?: {
                        quote: string;
                        /**
                         * @description About where, in UTF-16 code units, if they occur often.
                         * @default 0
                         */
                        start?: number;
                    };
                };
            };
        };
        responses: {
            /** @description The comment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    getComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the comment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    deleteComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the comment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    editComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the comment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Markdown. @ and a URN, as in @market:human:…, tells a member or their agent. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description The comment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    resolveComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the comment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    reopenComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the comment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    listDecisions: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Short id or UUID of the space. */
                space?: string;
                /** @description Short id or UUID of the page. */
                page?: string;
                /** @description Short id or UUID of the task. */
                task?: string;
                /** @description false: those that stand. */
                superseded?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of decisions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Decision"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    recordDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Short id or UUID of the space. */
                    space: string;
                    /** @description The page that it is about. */
                    page?: string;
                    /** @description The task that it is about. */
                    task?: string;
                    /** @description Short id or UUID of the decision. */
                    supersedes?: string;
                    title: string;
                    /**
                     * @description Markdown.
                     * @default
                     */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description The decision. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
        };
    };
    getDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the decision. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Short id or UUID of the space. */
                space?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Secret"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Short id or UUID of the space. */
                    space?: string;
                    name: string;
                    value: string;
                };
            };
        };
        responses: {
            /** @description The secret, without its value. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
        };
    };
    getSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the secret. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret, without its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the secret. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    replaceSecretValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the secret. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    value: string;
                };
            };
        };
        responses: {
            /** @description The secret, without its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
        };
    };
    revealSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the secret. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description A question about this secret that your human has confirmed, where agents must ask.
                     */
                    confirmation?: string;
                };
            };
        };
        responses: {
            /** @description The secret with its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedSecret"];
                };
            };
        };
    };
    getSecretPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretPolicy"];
                };
            };
        };
    };
    setSecretPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agents_ask: boolean;
                };
            };
        };
        responses: {
            /** @description The policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretPolicy"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedImport"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    startImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The archive. */
                    attachment: string;
                    /** @description Short id or UUID of the space. */
                    space: string;
                    /** @description The page that the pages go below. */
                    parent?: string;
                };
            };
        };
        responses: {
            /** @description The import, which the worker does. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the import. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    undoImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the import. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Pages that somebody has written on since stay, and those above them. Without it they are a 409.
                     * @default false
                     */
                    keep_edited?: boolean;
                };
            };
        };
        responses: {
            /** @description The import, undone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Short id or UUID of the page. */
                page?: string;
                /** @description Short id or UUID of the entry. */
                entry?: string;
                /** @description The one of this name; with `page`. */
                name?: string;
                /** @description The trash instead. */
                trash?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attachments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Attachment"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    uploadAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description Short id or UUID of the page. */
                    page: string;
                    /** @description Short id or UUID of the entry. */
                    entry?: string;
                    /** @description Kept without separators and invisible characters, and with (2) before its extension where it is taken. */
                    filename?: string;
                    /**
                     * @description How the text of the page refers to it: not at all, by showing it, or by a link.
                     * @default embed
                     * @enum {string}
                     */
                    insert?: "none" | "embed" | "link";
                    /** @description Byte offset in the text of the page for the reference. Default: the end. */
                    cursor?: string;
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The attachment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    trashAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    updateAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Moves it to that page. References in the text of the page that it leaves stay, and lead nowhere. */
                    page?: string;
                    /** @description An entry of its page; null detaches it. */
                    entry?: string | null;
                    /** @description Kept without separators and invisible characters, and with (2) before its extension where it is taken. */
                    filename?: string | null;
                    /** @description Whether references in the text of its page follow a new name. Default: true. */
                    update_references?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    restoreAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    purgeAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    replaceAttachmentContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    listAttachmentVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentVersion"][];
                };
            };
        };
    };
    restoreAttachmentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
                /** @description Number of the version. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    deleteAttachmentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
                /** @description Number of the version. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    emptyTrash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is gone. Files of tasks that are offered or ordered stay, and what is in archived spaces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptiedTrash"];
                };
            };
        };
    };
    getStorageUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageUsage"];
                };
            };
        };
    };
    downloadAttachment: {
        parameters: {
            query?: {
                /** @description `attachment` saves it under its name. By default browsers show what they run nothing of. */
                disposition?: "inline" | "attachment";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there, for five minutes. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    downloadAttachmentVersion: {
        parameters: {
            query?: {
                /** @description `attachment` saves it under its name. By default browsers show what they run nothing of. */
                disposition?: "inline" | "attachment";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
                /** @description Number of the version. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there, for five minutes. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewAttachment: {
        parameters: {
            query?: {
                /** @description How many pixels it is wide or high at most. Default: 256. */
                size?: "256" | "1024";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there, for five minutes. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    serveAttachment: {
        parameters: {
            query: {
                account: string;
                agent?: string;
                rendition: "original" | "preview-256" | "preview-1024";
                disposition: "inline" | "attachment";
                expires: string;
                signature: string;
            };
            header?: never;
            path: {
                /** @description UUID of the attachment. */
                attachment: string;
                /** @description Number of the version. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes that Range names. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes are those of an ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    downloadPageArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the page. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive: each page as Markdown, as it is stored, and beside the pages below it its files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    downloadSpaceArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the space. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive: each page as Markdown, as it is stored, and beside the pages below it its files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description It is begun. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an upload of yours: the last part of its Location. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The headers say it. There is no body. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    terminateUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an upload of yours: the last part of its Location. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    appendToUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an upload of yours: the last part of its Location. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description They are stored. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readAttachmentText: {
        parameters: {
            query?: {
                /** @description The first character, counted from 0. */
                offset?: string;
                /** @description How many characters, 100000 at most. */
                limit?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Short id or UUID of the attachment. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Part of the text. Characters are Unicode code points. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentText"];
                };
            };
        };
    };
    searchWorkspace: {
        parameters: {
            query: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Words; "a phrase"; -without; this or that. The newest 500 with the words are ranked, and as many texts of attachments. Attachments are found by their names and by their texts, which are searched in passages of 50,000 characters. */
                q: string;
                /** @description Only these. */
                type?: "page" | "entry" | "task" | "comment" | "attachment";
                /** @description Only what is in this space. */
                space?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has the words, the best first. Where nothing has them, misspelt words are corrected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SearchHit"][];
                        next_cursor: string | null;
                        /** @description What was searched for, where it was not q. */
                        corrected_query: string | null;
                    };
                };
            };
        };
    };
    getNotificationPrefs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your preferences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPrefs"];
                };
            };
        };
    };
    replaceNotificationPrefs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Kinds that are not listed are told in the app and by push. */
                    kinds: components["schemas"]["KindPref"][];
                    /**
                     * @description What comes in this time of the day appears at its end.
                     * @default null
                     */
                    quiet_hours?: {
                        from: string;
                        until: string;
                        time_zone: string;
                    } | null;
                    /**
                     * @description What you are told in such a role appears at that time.
                     * @default []
                     */
                    hidden_roles?: components["schemas"]["HiddenRole"][];
                };
            };
        };
        responses: {
            /** @description Your preferences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPrefs"];
                };
            };
        };
    };
    listPushSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most twenty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PushSubscription"][];
                    };
                };
            };
        };
    };
    createPushSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uri */
                    endpoint: string;
                    /** @description As browsers write it; ignored. */
                    expirationTime?: number | null;
                    keys: components["schemas"]["PushKeys"];
                };
            };
        };
        responses: {
            /** @description The device. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscription"];
                };
            };
        };
    };
    deletePushSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the device. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is told nothing more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTradeNotifications: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Unread ones alone. */
                unread?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Notification"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    countUnreadNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most a thousand are counted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadNotifications"];
                };
            };
        };
    };
    markTradeNotificationsRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    all?: boolean;
                    ids?: string[];
                };
            };
        };
        responses: {
            /** @description How many of them were unread. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Marked"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Unread ones alone. */
                unread?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Notification"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    markNotificationsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    all?: boolean;
                    ids?: string[];
                };
            };
        };
        responses: {
            /** @description How many of them were unread. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Marked"];
                };
            };
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Mails go to it once it is confirmed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailAddress"];
                };
            };
        };
    };
    askEmailConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail is sent soon. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailConfirmation"];
                };
            };
        };
    };
    confirmEmailAddress: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that says that it is confirmed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
        };
    };
    unsubscribeFromMail: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that says that they are off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
        };
    };
    refuseInvitations: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that says that there will be none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
        };
    };
    listQuarantine: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ScannedFile"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    releaseQuarantined: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the file. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, released. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScannedFile"];
                };
            };
        };
    };
    rescanQuarantined: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the file. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, which is to be scanned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScannedFile"];
                };
            };
        };
    };
    deleteQuarantined: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the file. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScannedFile"];
                };
            };
        };
    };
    listConfirmations: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                state?: "pending" | "confirmed" | "declined" | "expired";
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of questions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Confirmation"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    askConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    question: string;
                    /** @description The secret that is to be revealed to you, once. */
                    secret?: string;
                    /** @default 86400 */
                    expires_in_seconds?: number;
                };
            };
        };
        responses: {
            /** @description The question. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
        };
    };
    getConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the question. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
        };
    };
    answerConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the question. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    answer: "confirmed" | "declined";
                };
            };
        };
        responses: {
            /** @description The question, answered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
        };
    };
    listOrgWebhooks: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["OrgWebhook"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrgWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description https, on port 443 or 8443, at a public address, without user name or password.
                     */
                    url: string;
                    events: string[];
                    /** @description Spaces whose events are sent. Without it, or null: every space. */
                    spaces?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The webhook, and its secret, which is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgWebhookWithSecret"];
                };
            };
        };
    };
    getOrgWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgWebhook"];
                };
            };
        };
    };
    deleteOrgWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateOrgWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description https, on port 443 or 8443, at a public address, without user name or password.
                     */
                    url?: string;
                    events?: string[];
                    /** @description Spaces whose events are sent. Without it, or null: every space. */
                    spaces?: string[] | null;
                    /** @enum {string} */
                    status?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description The webhook, and where the URL has changed its new secret, which is shown this once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgWebhook"] & {
                        secret?: string;
                    };
                };
            };
        };
    };
    rotateOrgWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, and its new secret, which is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgWebhookWithSecret"];
                };
            };
        };
    };
    testOrgWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgWebhookDelivery"];
                };
            };
        };
    };
    listOrgWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Only those with this status. */
                status?: "pending" | "delivered" | "retrying" | "dead_letter";
                /** @description Only those of events of this type. */
                type?: string;
            };
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["OrgWebhookDelivery"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getOrgWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
                /** @description Id of the delivery. */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgWebhookDeliveryDetail"];
                };
            };
        };
    };
    replayOrgWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
                /** @description Id of the delivery. */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is on its way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgWebhookDelivery"];
                };
            };
        };
    };
    recoverOrgWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of an org that you are in. */
                org: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    since: string;
                };
            };
        };
        responses: {
            /** @description How many are on their way again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovered: number;
                    };
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The database answers and is migrated. Payments can be made while the facilitator is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Degraded while the node, the facilitator, a worker or the index is absent or stands still: orders cannot be placed, paid or settled then.
                         * @enum {string}
                         */
                        status: "ready" | "degraded";
                        /** @description What is absent, hangs or stands still; empty while the service is ready. */
                        ailing: {
                            /** @enum {string} */
                            part: "node" | "facilitator" | "worker" | "chain_index" | "redis";
                            detail: string;
                        }[];
                        /** @description Whether the chain's node answers. */
                        node: {
                            alive: boolean;
                        };
                        facilitator: {
                            alive: boolean;
                            /** Format: date-time */
                            beat_at: string | null;
                        };
                        worker: {
                            alive: boolean;
                            /** Format: date-time */
                            beat_at: string | null;
                        };
                        /** @description The newest block the index has taken in; null while it has none. */
                        chain_index: {
                            block_number: number;
                            /** Format: date-time */
                            block_time: string;
                            /** @description How long it has lacked the next block; 0 while it lacks none. */
                            behind_seconds: number;
                        } | null;
                    };
                };
            };
        };
    };
    getOperatorStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. Balances of the accounts that pay for gas are known to the facilitator alone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorStatus"];
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description The clocks were moved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        now: string;
                        block_number: number;
                        /** Format: date-time */
                        block_time: string;
                    };
                };
            };
        };
    };
    createSandboxHuman: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    display_name: string;
                };
            };
        };
        responses: {
            /** @description The human, and a token of every scope. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        urn: components["schemas"]["HumanUrn"];
                        token: string;
                    };
                };
            };
        };
    };
    readSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time of the market. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        now: string;
                    };
                };
            };
        };
    };
    requestSandboxFunds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address: string;
                };
            };
        };
        responses: {
            /** @description The address has them now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: `0x${string}`;
                        token_balance: string;
                        native_balance_wei: string;
                        /** @description None, where nothing was missing. */
                        transactions: `0x${string}`[];
                    };
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
}
