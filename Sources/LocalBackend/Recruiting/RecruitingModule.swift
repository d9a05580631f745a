#if Recruiting
import GRDB

extension ServerModule {
  /// The module for recruiting: families, and everything that belongs to one. It follows
  /// `supabase/migrations/20261125*`, `202611290004*` and `20261129000500*`, whose parts are the migrations here.
  static let recruiting = ServerModule(
    name: "recruiting",
    migrations: [
      Migration(number: 19, title: "families", run: FamilyTables.create),
      Migration(number: 20, title: "schools and coaches", run: CoachTables.create),
      Migration(number: 21, title: "interactions", run: InteractionTables.create),
      Migration(number: 22, title: "posts of coaches", run: PostTables.create),
      Migration(number: 23, title: "sync of posts", run: SyncState.create),
      Migration(number: 24, title: "links to highlights", run: HighlightLinkTable.create),
      Migration(number: 27, title: "attachments", run: AttachmentStore.createTable),
      Migration(number: 29, title: "codes of invitations", run: FamilyTables.moveCodes),
      Migration(number: 30, title: "identity of posts", run: PostTables.mergeSamePosts),
      Migration(number: 31, title: "owners of syncs", run: SyncState.addOwners),
      Migration(number: 33, title: "IDs of deleted interactions", run: InteractionTables.refuseUsedIDs),
    ],
    tables: FamilyTables.all + CoachTables.all + [InteractionTables.interactions] + PostTables.all
      + [HighlightLinkTable.links],
    functions: RPCFunction.families + RPCFunction.interactions + RPCFunction.socialPosts + RPCFunction.highlightLinks
      + RPCFunction.figures,
    routes: { router, server in
      InteractionRoutes(server: server).add(to: router)
      AttachmentRoutes(server: server).add(to: router)
    },
    cleanUp: { server in
      let now = server.now
      try await server.store.database.write { db in try InteractionTables.forgetUsedIDs(in: db, now: now) }
    })
}
#endif
