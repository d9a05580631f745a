#if Recruiting
extension ServerModule {
  /// The module for the pages of recruiting, on top of `recruiting`.
  static let recruitingPages = ServerModule(
    name: "recruiting pages",
    pages: recruitingFiles,
    routes: { router, server in
      let site = RecruitingSite(server: server)
      FamilyPages(site: site).add(to: router)
      SchoolPages(site: site).add(to: router)
      CoachPages(site: site).add(to: router)
      ImportPages(site: site).add(to: router)
      InteractionPages(site: site).add(to: router)
      InteractionForms(site: site).add(to: router)
      PostPages(site: site).add(to: router)
      SyncRoutes(site: site).add(to: router)
      SocialAnalyticsPage(site: site).add(to: router)
      SendPages(site: site).add(to: router)
      LinkPage(server: server).add(to: router)
    })

  private static let recruitingFiles: [String: [UInt8]] = [
    "chips.mustache": PackageResources.chips_mustache,
    "choices.mustache": PackageResources.choices_mustache,
    "coach.mustache": PackageResources.coach_mustache,
    "coaches.mustache": PackageResources.coaches_mustache,
    "coachform.mustache": PackageResources.coachform_mustache,
    "coachmissing.mustache": PackageResources.coachmissing_mustache,
    "coachposts.mustache": PackageResources.coachposts_mustache,
    "family.mustache": PackageResources.family_mustache,
    "figures.mustache": PackageResources.figures_mustache,
    "hidden.mustache": PackageResources.hidden_mustache,
    "import.mustache": PackageResources.import_mustache,
    "interaction.mustache": PackageResources.interaction_mustache,
    "interactionform.mustache": PackageResources.interactionform_mustache,
    "interactions.mustache": PackageResources.interactions_mustache,
    "link.mustache": PackageResources.link_mustache,
    "links.mustache": PackageResources.links_mustache,
    "nothing.mustache": PackageResources.nothing_mustache,
    "recruiting.css": PackageResources.recruiting_css,
    "recruiting.js": PackageResources.recruiting_js,
    "school.mustache": PackageResources.school_mustache,
    "schoolform.mustache": PackageResources.schoolform_mustache,
    "schools.mustache": PackageResources.schools_mustache,
    "sections.mustache": PackageResources.sections_mustache,
    "send.mustache": PackageResources.send_mustache,
    "social.mustache": PackageResources.social_mustache,
    "socialanalytics.mustache": PackageResources.socialanalytics_mustache,
    "socialpost.mustache": PackageResources.socialpost_mustache,
    "typeicon.mustache": PackageResources.typeicon_mustache,
  ]
}
#endif
