// Written by Scripts/sentiment-data. Words and ratings of vaderSentiment 3.3.2, under this license:
//
// The MIT License (MIT)
//
// Copyright (c) 2016 C.J. Hutto
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

// swift-format-ignore-file

/// The lexicon of VADER (C. J. Hutto and E. Gilbert, 2014).
enum VaderLexicon {
  /// Tokens with their rating in tenths.
  static let words = #"""
    $:_-15 %)_-4 %-)_-15 &-:_-4 &:_-7 (%_-9 ('-:_22 (':_23 ((-:_21 (*_11 (-%_-7 (-*_13 (-:_16 (-:0_28 (-:<_-4
    (-:o_15 (-:{_-1 (-:|>*_19 (-;_13 (-;|_21 (8_26 (:_22 (:0_24 (:<_-2 (:o_25 (;_11 (;<_3 (=_22 (?:_21 (^:_15
    (^;_15 (^;0_20 (^;o_19 (o:_16 )':_-20 )-':_-21 )-:_-21 )-:<_-22 )-:{_-21 ):_-18 ):<_-19 ):{_-23 );<_-26 *)_6
    *-)_3 *-:_21 *-;_24 *:_19 *<|:-)_16 *\0/*_23 *^:_16 ,-:_12 ---'-;-{@_23 --<--<@_22 .-:_-12 ..###-:_-17
    ..###:_-19 /-:_-13 /:_-13 /:<_-14 /=_-9 /^:_-10 /o:_-14 0-8_1 0-|_-12 0:)_19 0:-)_14 0:-3_15 0:03_19 0;^)_16
    0_o_-3 10q_21 1337_21 143_32 1432_26 14aa41_24 182_-29 187_-31 2g2b4g_28 2g2bt_-1 2qt_21 3:(_-22 3:)_5
    3:-(_-23 3:-)_-14 4col_-22 4q_-31 5fs_15 8)_19 8-d_17 8-o_-3 86_-16 8d_29 :###.._-24 :$_-2 :&_-6 :'(_-22
    :')_23 :'-(_-24 :'-)_27 :(_-19 :)_20 :*_25 :-###.._-25 :-&_-5 :-(_-15 :-)_13 :-))_28 :-*_17 :-,_11 :-._-9
    :-/_-12 :-<_-15 :-d_23 :-o_1 :-p_15 :-[_-16 :-\_-9 :-c_-13 :-|_-7 :-||_-25 :/_-14 :3_23 :<_-21 :>_21 :?)_13
    :?c_-16 :@_-25 :d_23 :l_-17 :o_-4 :p_10 :s_-12 :[_-20 :\_-13 :]_22 :^)_21 :^*_26 :^/_-12 :^\_-10 :^|_-10
    :c_-21 :c)_20 :o)_21 :o/_-14 :o\_-11 :o|_-6 :{_-19 :|_-4 :}_21 ;)_9 ;-)_10 ;-*_22 ;-]_7 ;d_8 ;]_6 ;^)_14
    </3_-30 <3_19 <:_21 <:-|_-14 =)_22 =-3_20 =-d_24 =/_-14 =3_21 =d_23 =l_-12 =\_-12 =]_16 =p_13 =|_-8 >-:_-20
    >.<_-13 >:_-21 >:(_-27 >:)_4 >:-(_-27 >:-)_-4 >:/_-16 >:o_-12 >:p_10 >:[_-21 >:\_-17 >;(_-29 >;)_1 >_>^_21
    @:_-21 @>-->--_21 @}-;-'---_22 aas_25 aayf_27 afu_-29 alol_28 ambw_29 aml_34 atab_-19 awol_-13 ayc_2 ayor_-12
    aug-00_3 bfd_-27 bfe_-26 bff_29 bffn_10 bl_23 bsod_-22 btd_-21 btdt_-1 bz_4 b^d_26 cwot_-23 d-':_-25 d8_-32
    d:_12 d:<_-32 d;_-29 d=_15 doa_-23 dx_-30 ez_15 fav_20 fcol_-18 ff_18 ffs_-28 fkm_-24 foaf_18 ftw_20 fu_-37
    fubar_-30 fwb_25 fyi_8 fysa_4 g1_14 gg_12 gga_17 gigo_-6 gj_20 gl_13 gla_25 gn_12 gr8_27 grrr_-4 gt_11 h&k_23
    hagd_22 hagn_22 hago_12 hak_19 hand_22 heart_32 hearts_33 hho1/2k_14 hhoj_20 hhok_9 hugz_20 hi5_19 idk_-4
    ijs_7 ilu_34 iluaaf_27 ily_34 ily2_26 iou_7 iyq_23 j/j_20 j/k_16 j/p_14 j/t_-2 j/w_10 j4f_14 j4g_17 jho_8
    jhomf_10 jj_10 jk_9 jp_8 jt_9 jw_16 jealz_-12 k4y_23 kfy_23 kia_-32 kk_15 kmuf_22 l_20 l&r_22 laoj_13 lmao_29
    lmbao_18 lmfao_25 lmso_27 lol_18 lolz_27 lts_16 ly_26 ly4e_27 lya_33 lyb_30 lyl_31 lylab_27 lylas_26 lylb_16
    m8_14 mia_-12 mml_20 mofo_-24 muah_23 mubar_-10 musm_9 mwah_25 n1_19 nbd_13 nbif_-5 nfc_-27 nfw_-24 nh_22
    nimby_-8 nimjd_-7 nimq_-2 nimy_-14 nitl_-15 nme_-21 noyb_-7 np_14 ntmu_14 o-8_-5 o-:_-3 o-|_-11 o.o_-8 o:_-2
    o:)_15 o:-)_20 o:-3_22 o:3_23 o:<_-3 o;^)_16 ok_12 o_o_-5 pita_-24 pls_3 plz_3 pmbi_8 pmfji_3 pmji_7 po_-26
    ptl_26 pu_-11 qq_-22 qt_18 r&r_24 rofl_27 roflmao_25 rotfl_26 rotflmao_28 rotflmfao_25 rotflol_30 rotgl_29
    rotglmao_18 s:_-11 sapfu_-11 sete_28 sfete_27 sgtm_24 slap_6 slaw_21 smh_-13 snafu_-25 sob_-10 swak_23 tgif_23
    thks_14 thx_15 tia_23 tmi_-3 tnx_11 true_18 tx_15 txs_11 ty_16 tyvm_25 urw_19 vbg_21 vbs_31 vip_23 vwd_26
    vwp_21 wag_-2 wd_27 wilco_9 wp_10 wtf_-28 wtg_21 wth_-24 x-d_26 x-p_17 xd_28 xlnt_30 xoxo_30 xoxozzz_23 xp_16
    xqzt_16 xtc_8 yolo_11 yoyo_4 yvw_16 yw_18 ywia_25 zzz_-12 [-;_5 [:_13 [;_10 [=_17 \-:_-10 \:_-10 \:<_-17
    \=_-11 \^:_-13 \o/_22 \o:_-12 ]-:_-21 ]:_-16 ]:<_-25 ^<_<_14 ^urs_-28 abandon_-19 abandoned_-20 abandoner_-19
    abandoners_-19 abandoning_-16 abandonment_-24 abandonments_-17 abandons_-13 abducted_-23 abduction_-28
    abductions_-20 abhor_-20 abhorred_-24 abhorrent_-31 abhors_-29 abilities_10 ability_13 aboard_1 absentee_-11
    absentees_-8 absolve_12 absolved_15 absolves_13 absolving_16 abuse_-32 abused_-23 abuser_-26 abusers_-26
    abuses_-26 abusing_-20 abusive_-32 abusively_-28 abusiveness_-25 abusivenesses_-30 accept_16
    acceptabilities_16 acceptability_11 acceptable_13 acceptableness_13 acceptably_15 acceptance_20 acceptances_17
    acceptant_16 acceptation_13 acceptations_9 accepted_11 accepting_16 accepts_13 accident_-21 accidental_-3
    accidentally_-14 accidents_-13 accomplish_18 accomplished_19 accomplishes_17 accusation_-10 accusations_-13
    accuse_-8 accused_-12 accuses_-14 accusing_-7 ache_-16 ached_-16 aches_-10 achievable_13 aching_-22 acquit_8
    acquits_1 acquitted_10 acquitting_13 acrimonious_-17 active_17 actively_13 activeness_6 activenesses_8
    actives_11 adequate_9 admirability_24 admirable_26 admirableness_22 admirably_25 admiral_13 admirals_15
    admiralties_16 admiralty_12 admiration_25 admirations_16 admire_21 admired_23 admirer_18 admirers_17
    admires_15 admiring_16 admiringly_23 admit_8 admits_12 admitted_4 admonished_-19 adopt_7 adopts_7
    adorability_22 adorable_22 adorableness_25 adorably_21 adoration_29 adorations_22 adore_26 adored_18 adorer_17
    adorers_21 adores_16 adoring_26 adoringly_24 adorn_9 adorned_8 adorner_13 adorners_9 adorning_10 adornment_13
    adornments_8 adorns_5 advanced_10 advantage_10 advantaged_14 advantageous_15 advantageously_19
    advantageousness_16 advantages_15 advantaging_16 adventure_13 adventured_13 adventurer_12 adventurers_9
    adventures_14 adventuresome_17 adventuresomeness_13 adventuress_8 adventuresses_14 adventuring_23
    adventurism_15 adventurist_14 adventuristic_17 adventurists_12 adventurous_14 adventurously_13
    adventurousness_18 adversarial_-15 adversaries_-10 adversary_-8 adversative_-12 adversatively_-1
    adversatives_-10 adverse_-15 adversely_-8 adverseness_-6 adversities_-15 adversity_-18 affected_-6
    affection_24 affectional_19 affectionally_15 affectionate_19 affectionately_22 affectioned_18
    affectionless_-20 affections_15 afflicted_-15 affronted_2 aggravate_-25 aggravated_-19 aggravates_-19
    aggravating_-12 aggress_-13 aggressed_-14 aggresses_-5 aggressing_-6 aggression_-12 aggressions_-13
    aggressive_-6 aggressively_-13 aggressiveness_-18 aggressivities_-14 aggressivity_-6 aggressor_-8
    aggressors_-9 aghast_-19 agitate_-17 agitated_-20 agitatedly_-16 agitates_-14 agitating_-18 agitation_-10
    agitational_-12 agitations_-13 agitative_-13 agitato_-1 agitator_-14 agitators_-21 agog_19 agonise_-21
    agonised_-23 agonises_-24 agonising_-15 agonize_-23 agonized_-22 agonizes_-23 agonizing_-27 agonizingly_-23
    agony_-18 agree_15 agreeability_19 agreeable_18 agreeableness_18 agreeablenesses_13 agreeably_16 agreed_11
    agreeing_14 agreement_22 agreements_11 agrees_8 alarm_-14 alarmed_-14 alarming_-5 alarmingly_-26 alarmism_-3
    alarmists_-11 alarms_-11 alas_-11 alert_12 alienation_-11 alive_16 allergic_-12 allow_9 alone_-10 alright_10
    amaze_25 amazed_22 amazedly_21 amazement_25 amazements_22 amazes_22 amazing_28 amazon_7 amazonite_2 amazons_-1
    amazonstone_10 amazonstones_2 ambitious_21 ambivalent_5 amor_30 amoral_-16 amoralism_-7 amoralisms_-7
    amoralities_-12 amorality_-15 amorally_-10 amoretti_2 amoretto_6 amorettos_3 amorino_12 amorist_16
    amoristic_10 amorists_1 amoroso_23 amorous_18 amorously_23 amorousness_20 amorphous_-2 amorphously_1
    amorphousness_3 amort_-21 amortise_5 amortised_-2 amortises_1 amortizable_5 amortization_6 amortizations_2
    amortize_-1 amortized_8 amortizes_6 amortizing_8 amusable_7 amuse_17 amused_18 amusedly_22 amusement_15
    amusements_15 amuser_11 amusers_13 amuses_17 amusia_3 amusias_-4 amusing_16 amusingly_8 amusingness_18
    amusive_17 anger_-27 angered_-23 angering_-22 angerly_-19 angers_-23 angrier_-23 angriest_-31 angrily_-18
    angriness_-17 angry_-23 anguish_-29 anguished_-18 anguishes_-21 anguishing_-27 animosity_-19 annoy_-19
    annoyance_-13 annoyances_-18 annoyed_-16 annoyer_-22 annoyers_-15 annoying_-17 annoys_-18 antagonism_-19
    antagonisms_-12 antagonist_-19 antagonistic_-17 antagonistically_-22 antagonists_-17 antagonize_-20
    antagonized_-14 antagonizes_-5 antagonizing_-27 anti_-13 anticipation_4 anxieties_-6 anxiety_-7 anxious_-10
    anxiously_-9 anxiousness_-10 aok_20 apathetic_-12 apathetically_-4 apathies_-6 apathy_-12 apeshit_-9
    apocalyptic_-34 apologise_16 apologised_4 apologises_8 apologising_2 apologize_4 apologized_13 apologizes_15
    apologizing_-3 apology_2 appall_-24 appalled_-20 appalling_-15 appallingly_-20 appalls_-19 appease_11
    appeased_9 appeases_9 appeasing_10 applaud_20 applauded_15 applauding_21 applauds_14 applause_18 appreciate_17
    appreciated_23 appreciates_23 appreciating_19 appreciation_23 appreciations_17 appreciative_26
    appreciatively_18 appreciativeness_16 appreciator_26 appreciators_15 appreciatory_17 apprehensible_11
    apprehensibly_-2 apprehension_-21 apprehensions_-9 apprehensively_-3 apprehensiveness_-7 approval_21
    approved_18 approves_17 ardent_21 arguable_-10 arguably_-10 argue_-14 argued_-15 arguer_-16 arguers_-14
    argues_-16 arguing_-20 argument_-15 argumentative_-15 argumentatively_-18 argumentive_-15 arguments_-17
    arrest_-14 arrested_-21 arrests_-19 arrogance_-24 arrogances_-19 arrogant_-22 arrogantly_-18 ashamed_-21
    ashamedly_-17 ass_-25 assassination_-29 assassinations_-27 assault_-28 assaulted_-24 assaulting_-23
    assaultive_-28 assaults_-25 asset_15 assets_7 assfucking_-25 assholes_-28 assurance_14 assurances_14 assure_14
    assured_15 assuredly_16 assuredness_14 assurer_9 assurers_11 assures_13 assurgent_13 assuring_16 assuror_5
    assurors_7 astonished_16 astound_17 astounded_18 astounding_18 astoundingly_21 astounds_21 attachment_12
    attachments_11 attack_-21 attacked_-20 attacker_-27 attackers_-27 attacking_-20 attacks_-19 attract_15
    attractancy_9 attractant_13 attractants_14 attracted_18 attracting_21 attraction_20 attractions_18
    attractive_19 attractively_22 attractiveness_18 attractivenesses_21 attractor_12 attractors_12 attracts_17
    audacious_9 authority_3 aversion_-19 aversions_-11 aversive_-16 aversively_-8 avert_-7 averted_-3 averts_-4
    avid_12 avoid_-12 avoidance_-17 avoidances_-11 avoided_-14 avoider_-18 avoiders_-14 avoiding_-14 avoids_-7
    await_4 awaited_-1 awaits_3 award_25 awardable_24 awarded_17 awardee_18 awardees_12 awarder_9 awarders_13
    awarding_19 awards_20 awesome_31 awful_-20 awkward_-6 awkwardly_-13 awkwardness_-7 axe_-4 axed_-13 backed_1
    backing_1 backs_-2 bad_-25 badass_14 badly_-21 bailout_-4 bamboozle_-15 bamboozled_-15 bamboozles_-15 ban_-26
    banish_-19 bankrupt_-26 bankster_-21 banned_-20 bargain_8 barrier_-5 bashful_-1 bashfully_2 bashfulness_-8
    bastard_-25 bastardies_-18 bastardise_-21 bastardised_-23 bastardises_-23 bastardising_-26 bastardization_-24
    bastardizations_-21 bastardize_-24 bastardized_-20 bastardizes_-18 bastardizing_-23 bastardly_-27 bastards_-30
    bastardy_-27 battle_-16 battled_-12 battlefield_-16 battlefields_-9 battlefront_-12 battlefronts_-8
    battleground_-17 battlegrounds_-6 battlement_-4 battlements_-4 battler_-8 battlers_-2 battles_-16
    battleship_-1 battleships_-5 battlewagon_-3 battlewagons_-5 battling_-11 beaten_-18 beatific_18 beating_-20
    beaut_16 beauteous_25 beauteously_26 beauteousness_27 beautician_12 beauticians_4 beauties_24
    beautification_19 beautifications_24 beautified_21 beautifier_17 beautifiers_17 beautifies_18 beautiful_29
    beautifuler_21 beautifulest_26 beautifully_27 beautifulness_26 beautify_23 beautifying_23 beauts_17 beauty_28
    belittle_-19 belittled_-20 beloved_23 benefic_14 benefice_4 beneficed_11 beneficence_28 beneficences_15
    beneficent_23 beneficently_22 benefices_11 beneficial_19 beneficially_24 beneficialness_17 beneficiaries_18
    beneficiary_21 beneficiate_10 beneficiation_4 benefit_20 benefits_16 benefitted_17 benefitting_19
    benevolence_17 benevolences_19 benevolent_27 benevolently_14 benevolentness_12 benign_13 benignancy_6
    benignant_22 benignantly_11 benignities_9 benignity_13 benignly_2 bereave_-21 bereaved_-21 bereaves_-19
    bereaving_-13 best_32 betray_-32 betrayal_-28 betrayed_-30 betraying_-25 betrays_-25 better_19 bias_-4
    biased_-11 bitch_-28 bitched_-26 bitcheries_-23 bitchery_-27 bitches_-29 bitchier_-20 bitchiest_-30
    bitchily_-26 bitchiness_-26 bitching_-11 bitchy_-23 bitter_-18 bitterbrush_-2 bitterbrushes_-6 bittered_-18
    bitterer_-19 bitterest_-23 bittering_-12 bitterish_-16 bitterly_-20 bittern_-2 bitterness_-17 bitterns_-4
    bitterroots_-2 bitters_-4 bittersweet_-3 bittersweetness_-6 bittersweets_-2 bitterweeds_-5 bizarre_-13 blah_-4
    blam_-2 blamable_-18 blamably_-18 blame_-14 blamed_-21 blameful_-17 blamefully_-16 blameless_7 blamelessly_9
    blamelessness_6 blamer_-21 blamers_-20 blames_-17 blameworthiness_-16 blameworthy_-23 blaming_-22 bless_18
    blessed_29 blesseder_20 blessedest_28 blessedly_17 blessedness_16 blesser_26 blessers_19 blesses_26
    blessing_22 blessings_25 blind_-17 bliss_27 blissful_29 blithe_12 block_-19 blockbuster_29 blocked_-11
    blocking_-16 blocks_-9 bloody_-19 blurry_-4 bold_16 bolder_12 boldest_16 boldface_3 boldfaced_-1 boldfaces_1
    boldfacing_1 boldly_15 boldness_15 boldnesses_9 bolds_13 bomb_-22 bonus_25 bonuses_26 boost_17 boosted_15
    boosting_14 boosts_13 bore_-10 boreal_-3 borecole_-2 borecoles_-3 bored_-11 boredom_-13 boredoms_-11 boreen_1
    boreens_2 boreholes_-2 borer_-4 borers_-12 bores_-13 borescopes_-1 boresome_-13 boring_-13 bother_-14
    botheration_-17 botherations_-13 bothered_-13 bothering_-16 bothers_-8 bothersome_-13 boycott_-13
    boycotted_-17 boycotting_-17 boycotts_-14 brainwashing_-15 brave_24 braved_19 bravely_23 braver_24
    braveries_20 bravery_22 braves_19 bravest_23 breathtaking_20 bribe_-8 bright_19 brighten_19 brightened_21
    brightener_10 brighteners_10 brightening_25 brightens_15 brighter_16 brightest_30 brightly_15 brightness_16
    brightnesses_14 brights_4 brightwork_11 brilliance_29 brilliances_29 brilliancies_23 brilliancy_26
    brilliant_28 brilliantine_8 brilliantines_20 brilliantly_30 brilliants_19 brisk_6 broke_-18 broken_-21
    brooding_1 brutal_-31 brutalise_-27 brutalised_-29 brutalises_-32 brutalising_-28 brutalities_-26
    brutality_-30 brutalization_-21 brutalizations_-23 brutalize_-29 brutalized_-24 brutalizes_-32 brutalizing_-34
    brutally_-30 bullied_-31 bullshit_-28 bully_-22 bullying_-29 bummer_-16 buoyant_9 burden_-19 burdened_-17
    burdener_-13 burdeners_-17 burdening_-14 burdens_-15 burdensome_-18 bwahaha_4 bwahahah_25 calm_13 calmative_11
    calmatives_5 calmed_16 calmer_15 calmest_16 calming_17 calmly_13 calmness_17 calmnesses_16 calmodulin_2
    calms_13 cancel_-10 cancelled_-10 cancelling_-8 cancels_-9 cancer_-34 capable_16 captivated_16 care_22
    cared_18 carefree_17 careful_6 carefully_5 carefulness_20 careless_-15 carelessly_-10 carelessness_-14
    carelessnesses_-16 cares_20 caring_22 casual_8 casually_7 casualty_-24 catastrophe_-34 catastrophic_-22
    cautious_-4 celebrate_27 celebrated_27 celebrates_27 celebrating_27 censor_-20 censored_-6 censors_-12
    certain_11 certainly_14 certainties_9 certainty_10 chagrin_-19 chagrined_-14 challenge_3 challenged_-4
    challenger_5 challengers_4 challenges_3 challenging_6 challengingly_-6 champ_21 champac_-2 champagne_12
    champagnes_5 champaign_2 champaigns_5 champaks_-2 champed_10 champer_-1 champers_5 champerties_-1
    champertous_3 champerty_-2 champignon_4 champignons_2 champing_7 champion_29 championed_12 championing_18
    champions_24 championship_19 championships_22 champs_18 champy_10 chance_10 chances_8 chaos_-27 chaotic_-22
    charged_-8 charges_-11 charitable_17 charitableness_19 charitablenesses_16 charitably_14 charities_22
    charity_18 charm_17 charmed_20 charmer_19 charmers_21 charmeuse_3 charmeuses_4 charming_28 charminger_15
    charmingest_24 charmingly_22 charmless_-18 charms_19 chastise_-25 chastised_-22 chastises_-17 chastising_-17
    cheat_-20 cheated_-23 cheater_-25 cheaters_-19 cheating_-26 cheats_-18 cheer_23 cheered_23 cheerer_17
    cheerers_18 cheerful_25 cheerfuller_19 cheerfullest_32 cheerfully_21 cheerfulness_21 cheerier_26 cheeriest_22
    cheerily_25 cheeriness_25 cheering_23 cheerio_12 cheerlead_17 cheerleader_9 cheerleaders_12 cheerleading_12
    cheerleads_12 cheerled_15 cheerless_-17 cheerlessly_-8 cheerlessness_-17 cheerly_24 cheers_21 cheery_26
    cherish_16 cherishable_20 cherished_23 cherisher_22 cherishers_19 cherishes_22 cherishing_20 chic_11
    childish_-12 chilling_-1 choke_-25 choked_-21 chokes_-20 choking_-20 chuckle_17 chuckled_12 chucklehead_-19
    chuckleheaded_-13 chuckleheads_-11 chuckler_8 chucklers_12 chuckles_11 chucklesome_11 chuckling_14
    chucklingly_12 clarifies_9 clarity_17 classy_19 clean_17 cleaner_7 clear_16 cleared_4 clearly_17 clears_3
    clever_20 cleverer_20 cleverest_26 cleverish_10 cleverly_23 cleverness_23 clevernesses_14 clouded_-2
    clueless_-15 cock_-6 cocksucker_-31 cocksuckers_-26 cocky_-5 coerced_-15 collapse_-22 collapsed_-11
    collapses_-12 collapsing_-12 collide_-3 collides_-11 colliding_-5 collision_-15 collisions_-11 colluding_-12
    combat_-14 combats_-8 comedian_16 comedians_12 comedic_17 comedically_21 comedienne_6 comediennes_16
    comedies_17 comedo_3 comedones_-8 comedown_-8 comedowns_-9 comedy_15 comfort_15 comfortable_23
    comfortableness_13 comfortably_18 comforted_18 comforter_19 comforters_12 comforting_17 comfortingly_17
    comfortless_-18 comforts_21 commend_19 commended_19 commit_12 commitment_16 commitments_5 commits_1
    committed_11 committing_3 compassion_20 compassionate_22 compassionated_16 compassionately_17
    compassionateness_9 compassionates_16 compassionating_16 compassionless_-26 compelled_2 compelling_9
    competent_13 competitive_7 complacent_-3 complain_-15 complainant_-7 complainants_-11 complained_-17
    complainer_-18 complainers_-13 complaining_-8 complainingly_-17 complains_-16 complaint_-12 complaints_-17
    compliment_21 complimentarily_17 complimentary_19 complimented_18 complimenting_23 compliments_17
    comprehensive_10 conciliate_10 conciliated_11 conciliates_11 conciliating_13 condemn_-16 condemnation_-28
    condemned_-19 condemns_-23 confidence_23 confident_22 confidently_21 conflict_-13 conflicting_-17
    conflictive_-18 conflicts_-16 confront_-7 confrontation_-13 confrontational_-16 confrontationist_-10
    confrontationists_-12 confrontations_-15 confronted_-8 confronter_-3 confronters_-13 confronting_-6
    confronts_-9 confuse_-9 confused_-13 confusedly_-6 confusedness_-15 confuses_-13 confusing_-9 confusingly_-14
    confusion_-12 confusional_-12 confusions_-9 congrats_24 congratulate_22 congratulation_29 congratulations_29
    consent_9 consents_10 considerate_19 consolable_11 conspiracy_-24 constrained_-4 contagion_-20 contagions_-15
    contagious_-14 contempt_-28 contemptibilities_-20 contemptibility_-9 contemptible_-16 contemptibleness_-19
    contemptibly_-14 contempts_-10 contemptuous_-22 contemptuously_-24 contemptuousness_-11 contend_2 contender_5
    contented_14 contentedly_19 contentedness_14 contentious_-12 contentment_15 contestable_6 contradict_-13
    contradictable_-10 contradicted_-13 contradicting_-13 contradiction_-10 contradictions_-13 contradictious_-19
    contradictor_-10 contradictories_-5 contradictorily_-9 contradictoriness_-14 contradictors_-16
    contradictory_-14 contradicts_-14 controversial_-8 controversially_-11 convince_10 convinced_17 convincer_6
    convincers_3 convinces_7 convincing_17 convincingly_16 convincingness_7 convivial_12 cool_13 cornered_-11
    corpse_-27 costly_-4 courage_22 courageous_24 courageously_23 courageousness_21 courteous_23 courtesy_15
    cover-up_-12 coward_-20 cowardly_-16 coziness_15 cramp_-8 crap_-16 crappy_-26 crash_-17 craze_-6 crazed_-5
    crazes_2 crazier_-1 craziest_-2 crazily_-15 craziness_-16 crazinesses_-10 crazing_-5 crazy_-14 crazyweed_8
    create_11 created_10 creates_11 creatin_1 creatine_2 creating_12 creatinine_4 creation_11 creationism_7
    creationisms_11 creationist_8 creationists_5 creations_16 creative_19 creatively_15 creativeness_18
    creativities_17 creativity_16 credit_16 creditabilities_14 creditability_19 creditable_18 creditableness_12
    creditably_17 credited_15 crediting_6 creditor_-1 credits_15 creditworthiness_19 creditworthy_24
    crestfallen_-25 cried_-16 cries_-17 crime_-25 criminal_-24 criminals_-27 crisis_-31 critic_-11 critical_-13
    criticise_-19 criticised_-18 criticises_-13 criticising_-17 criticism_-19 criticisms_-9 criticizable_-10
    criticize_-16 criticized_-15 criticizer_-15 criticizers_-16 criticizes_-14 criticizing_-15 critics_-12
    crude_-27 crudely_-12 crudeness_-20 crudenesses_-20 cruder_-20 crudes_-11 crudest_-24 cruel_-28 crueler_-23
    cruelest_-26 crueller_-24 cruellest_-29 cruelly_-28 cruelness_-29 cruelties_-23 cruelty_-29 crush_-6
    crushed_-18 crushes_-19 crushing_-15 cry_-21 crying_-21 cunt_-22 cunts_-29 curious_13 curse_-25 cut_-11
    cute_20 cutely_13 cuteness_23 cutenesses_19 cuter_23 cutes_18 cutesie_10 cutesier_15 cutesiest_22 cutest_28
    cutesy_21 cutey_21 cuteys_15 cutie_15 cutiepie_20 cuties_22 cuts_-12 cutting_-5 cynic_-14 cynical_-16
    cynically_-13 cynicism_-17 cynicisms_-17 cynics_-3 d-:_16 damage_-22 damaged_-19 damager_-19 damagers_-20
    damages_-19 damaging_-23 damagingly_-20 damn_-17 damnable_-17 damnableness_-18 damnably_-17 damnation_-26
    damnations_-14 damnatory_-26 damned_-16 damnedest_-5 damnified_-28 damnifies_-18 damnify_-22 damnifying_-24
    damning_-14 damningly_-20 damnit_-24 damns_-22 danger_-24 dangered_-24 dangering_-25 dangerous_-21
    dangerously_-20 dangerousness_-20 dangers_-22 daredevil_5 daring_15 daringly_21 daringness_14 darings_4
    darkest_-22 darkness_-10 darling_28 darlingly_16 darlingness_23 darlings_22 dauntless_23 daze_-7 dazed_-7
    dazedly_-4 dazedness_-5 dazes_-3 dead_-33 deadlock_-14 deafening_-12 dear_16 dearer_19 dearest_26 dearie_22
    dearies_10 dearly_18 dearness_20 dears_19 dearth_-23 dearths_-9 deary_19 death_-29 debonair_8 debt_-15
    decay_-17 decayed_-16 decayer_-16 decayers_-16 decaying_-17 decays_-17 deceit_-20 deceitful_-19 deceive_-17
    deceived_-19 deceives_-16 deceiving_-14 deception_-19 decisive_9 dedicated_20 defeat_-20 defeated_-21
    defeater_-14 defeaters_-9 defeating_-16 defeatism_-13 defeatist_-17 defeatists_-21 defeats_-13 defeature_-19
    defeatures_-15 defect_-14 defected_-17 defecting_-18 defection_-14 defections_-15 defective_-19
    defectively_-21 defectiveness_-18 defectives_-18 defector_-19 defectors_-13 defects_-17 defence_4 defenceman_4
    defencemen_6 defences_-2 defender_4 defenders_3 defense_5 defenseless_-14 defenselessly_-11
    defenselessness_-13 defenseman_1 defensemen_-4 defenses_7 defensibility_4 defensible_8 defensibly_1
    defensive_1 defensively_-6 defensiveness_-4 defensives_-3 defer_-12 deferring_-7 defiant_-9 deficit_-17
    definite_11 definitely_17 degradable_-10 degradation_-24 degradations_-15 degradative_-20 degrade_-19
    degraded_-18 degrader_-20 degraders_-20 degrades_-21 degrading_-28 degradingly_-27 dehumanize_-18
    dehumanized_-19 dehumanizes_-15 dehumanizing_-24 deject_-22 dejected_-22 dejecting_-23 dejects_-20 delay_-13
    delayed_-9 delectable_29 delectables_14 delectably_28 delicate_2 delicately_10 delicates_6 delicatessen_4
    delicatessens_4 delicious_27 deliciously_19 deliciousness_18 delight_29 delighted_23 delightedly_24
    delightedness_21 delighter_20 delighters_26 delightful_28 delightfully_27 delightfulness_21 delighting_16
    delights_20 delightsome_23 demand_-5 demanded_-9 demanding_-9 demonstration_4 demoralized_-16 denied_-19
    denier_-15 deniers_-11 denies_-18 denounce_-14 denounces_-19 deny_-14 denying_-14 depress_-22 depressant_-16
    depressants_-16 depressed_-23 depresses_-22 depressible_-17 depressing_-16 depressingly_-23 depression_-27
    depressions_-22 depressive_-16 depressively_-21 depressives_-15 depressor_-18 depressors_-17
    depressurization_-3 depressurizations_-4 depressurize_-5 depressurized_-3 depressurizes_-3 depressurizing_-7
    deprival_-21 deprivals_-12 deprivation_-18 deprivations_-18 deprive_-21 deprived_-21 depriver_-16
    deprivers_-14 deprives_-17 depriving_-20 derail_-12 derailed_-14 derails_-13 deride_-11 derided_-8 derides_-10
    deriding_-15 derision_-12 desirable_13 desire_17 desired_11 desirous_13 despair_-13 despaired_-27
    despairer_-13 despairers_-13 despairing_-23 despairingly_-22 despairs_-27 desperate_-13 desperately_-16
    desperateness_-15 desperation_-20 desperations_-22 despise_-14 despised_-17 despisement_-24 despisements_-25
    despiser_-18 despisers_-16 despises_-20 despising_-27 despondent_-21 destroy_-25 destroyed_-22 destroyer_-20
    destroyers_-23 destroying_-26 destroys_-26 destruct_-24 destructed_-19 destructibility_-18 destructible_-15
    destructing_-25 destruction_-27 destructionist_-26 destructionists_-21 destructions_-23 destructive_-30
    destructively_-24 destructiveness_-24 destructivity_-22 destructs_-24 detached_-5 detain_-18 detained_-17
    detention_-15 determinable_9 determinableness_2 determinably_9 determinacy_10 determinant_2 determinantal_-3
    determinate_8 determinately_12 determinateness_11 determination_17 determinations_8 determinative_11
    determinatives_9 determinator_11 determined_14 devastate_-31 devastated_-30 devastates_-28 devastating_-33
    devastatingly_-24 devastation_-18 devastations_-19 devastative_-32 devastator_-28 devastators_-29 devil_-34
    deviled_-16 devilfish_-8 devilfishes_-6 deviling_-22 devilish_-21 devilishly_-16 devilishness_-23 devilkin_-24
    devilled_-23 devilling_-18 devilment_-19 devilments_-11 devilries_-16 devilry_-28 devils_-27 deviltries_-15
    deviltry_-28 devilwood_-8 devilwoods_-10 devote_14 devoted_17 devotedly_16 devotedness_20 devotee_16
    devotees_5 devotement_15 devotements_11 devotes_16 devoting_21 devotion_20 devotional_12 devotionally_22
    devotionals_12 devotions_18 diamond_14 dick_-23 dickhead_-31 die_-29 died_-26 difficult_-15 difficulties_-12
    difficultly_-17 difficulty_-14 diffident_-10 dignified_22 dignifies_20 dignify_18 dignifying_21 dignitaries_6
    dignitary_19 dignities_14 dignity_17 dilemma_-7 dipshit_-21 dire_-20 direful_-31 dirt_-14 dirtier_-14
    dirtiest_-24 dirty_-19 disabling_-21 disadvantage_-18 disadvantaged_-17 disadvantageous_-18
    disadvantageously_-21 disadvantageousness_-16 disadvantages_-17 disagree_-16 disagreeable_-17
    disagreeableness_-17 disagreeablenesses_-19 disagreeably_-15 disagreed_-13 disagreeing_-14 disagreement_-15
    disagreements_-18 disagrees_-13 disappear_-9 disappeared_-9 disappears_-14 disappoint_-17 disappointed_-21
    disappointedly_-17 disappointing_-22 disappointingly_-19 disappointment_-23 disappointments_-20
    disappoints_-16 disaster_-31 disasters_-26 disastrous_-29 disbelieve_-12 discard_-10 discarded_-14
    discarding_-7 discards_-10 discomfort_-18 discomfortable_-16 discomforted_-16 discomforting_-16
    discomforts_-13 disconsolate_-23 disconsolation_-17 discontented_-18 discord_-17 discounted_2 discourage_-18
    discourageable_-12 discouraged_-17 discouragement_-20 discouragements_-18 discourager_-17 discouragers_-19
    discourages_-19 discouraging_-19 discouragingly_-18 discredited_-19 disdain_-21 disgrace_-22 disgraced_-20
    disguise_-10 disguised_-11 disguises_-10 disguising_-13 disgust_-29 disgusted_-24 disgustedly_-30
    disgustful_-26 disgusting_-24 disgustingly_-29 disgusts_-21 dishearten_-20 disheartened_-22 disheartening_-18
    dishearteningly_-20 disheartenment_-23 disheartenments_-22 disheartens_-22 dishonest_-27 disillusion_-10
    disillusioned_-19 disillusioning_-13 disillusionment_-17 disillusionments_-15 disillusions_-16 disinclined_-11
    disjointed_-13 dislike_-16 disliked_-17 dislikes_-17 disliking_-13 dismal_-30 dismay_-18 dismayed_-19
    dismaying_-22 dismayingly_-19 dismays_-18 disorder_-17 disorganized_-12 disoriented_-15 disparage_-20
    disparaged_-14 disparages_-16 disparaging_-22 displeased_-19 dispute_-17 disputed_-14 disputes_-11
    disputing_-17 disqualified_-18 disquiet_-13 disregard_-11 disregarded_-16 disregarding_-9 disregards_-14
    disrespect_-18 disrespected_-20 disruption_-15 disruptions_-14 disruptive_-13 dissatisfaction_-22
    dissatisfactions_-19 dissatisfactory_-20 dissatisfied_-16 dissatisfies_-18 dissatisfy_-22 dissatisfying_-24
    distort_-13 distorted_-17 distorting_-11 distorts_-14 distract_-12 distractable_-13 distracted_-14
    distractedly_-9 distractibility_-13 distractible_-15 distracting_-12 distractingly_-14 distraction_-16
    distractions_-10 distractive_-16 distracts_-13 distraught_-26 distress_-24 distressed_-18 distresses_-16
    distressful_-22 distressfully_-17 distressfulness_-24 distressing_-17 distressingly_-22 distrust_-18
    distrusted_-24 distrustful_-21 distrustfully_-18 distrustfulness_-16 distrusting_-21 distrusts_-13 disturb_-17
    disturbance_-16 disturbances_-14 disturbed_-16 disturber_-14 disturbers_-21 disturbing_-23 disturbingly_-23
    disturbs_-19 dithering_-5 divination_17 divinations_11 divinatory_16 divine_26 divined_8 divinely_29 diviner_3
    diviners_12 divines_8 divinest_27 diving_3 divining_9 divinise_5 divinities_18 divinity_27 divinize_23
    dizzy_-9 dodging_-4 dodgy_-9 dolorous_-22 dominance_8 dominances_-1 dominantly_2 dominants_2 dominate_-5
    dominates_2 dominating_-12 domination_-2 dominations_-3 dominative_-7 dominators_-4 dominatrices_-2
    dominatrix_-5 dominatrixes_6 doom_-17 doomed_-32 doomful_-21 dooming_-28 dooms_-11 doomsayer_-7 doomsayers_-17
    doomsaying_-15 doomsayings_-15 doomsday_-28 doomsdayer_-22 doomsdays_-24 doomster_-22 doomsters_-16 doomy_-11
    dork_-14 dorkier_-11 dorkiest_-12 dorks_-5 dorky_-11 doubt_-15 doubtable_-15 doubted_-11 doubter_-16
    doubters_-13 doubtful_-14 doubtfully_-12 doubtfulness_-12 doubting_-14 doubtingly_-14 doubtless_9
    doubtlessly_12 doubtlessness_8 doubts_-12 douche_-15 douchebag_-30 downcast_-18 downhearted_-23 downside_-10
    drag_-9 dragged_-2 drags_-7 drained_-15 dread_-20 dreaded_-27 dreadful_-19 dreadfully_-27 dreadfulness_-32
    dreadfuls_-24 dreading_-24 dreadlock_-4 dreadlocks_-2 dreadnought_-6 dreadnoughts_-4 dreads_-14 dream_10
    dreams_17 dreary_-14 droopy_-8 drop_-11 drown_-27 drowned_-29 drowns_-22 drunk_-14 dubious_-15 dud_-10
    dull_-17 dullard_-16 dullards_-18 dulled_-15 duller_-17 dullest_-17 dulling_-11 dullish_-11 dullness_-14
    dullnesses_-19 dulls_-10 dullsville_-24 dully_-11 dumb_-23 dumbass_-26 dumbbell_-8 dumbbells_-2 dumbcane_-3
    dumbcanes_-6 dumbed_-14 dumber_-15 dumbest_-23 dumbfound_-1 dumbfounded_-16 dumbfounder_-10 dumbfounders_-10
    dumbfounding_-8 dumbfounds_-3 dumbhead_-26 dumbheads_-19 dumbing_-5 dumbly_-13 dumbness_-19 dumbs_-15
    dumbstruck_-10 dumbwaiter_2 dumbwaiters_-1 dump_-16 dumpcart_-6 dumped_-17 dumper_-12 dumpers_-8 dumpier_-14
    dumpiest_-16 dumpiness_-12 dumping_-13 dumpings_-11 dumpish_-18 dumpling_4 dumplings_-3 dumps_-17 dumpster_-6
    dumpsters_-10 dumpy_-17 dupe_-15 duped_-18 dwell_5 dwelled_4 dweller_3 dwellers_-3 dwelling_1 dwells_-1
    dynamic_16 dynamical_12 dynamically_15 dynamics_11 dynamism_16 dynamisms_12 dynamist_14 dynamistic_15
    dynamists_9 dynamite_7 dynamited_-9 dynamiter_-12 dynamiters_4 dynamites_-3 dynamitic_9 dynamiting_2
    dynamometer_3 dynamometers_3 dynamometric_3 dynamometry_6 dynamos_3 dynamotor_6 dysfunction_-18 eager_15
    eagerly_16 eagerness_17 eagers_16 earnest_23 ease_15 eased_12 easeful_15 easefully_14 easel_3 easement_16
    easements_4 eases_13 easier_18 easiest_18 easily_14 easiness_16 easing_10 easy_19 easygoing_13
    easygoingness_15 ecstacy_33 ecstasies_23 ecstasy_29 ecstatic_23 ecstatically_28 ecstatics_29 eerie_-15 eery_-9
    effective_21 effectively_19 efficiencies_16 efficiency_15 efficient_18 efficiently_17 effin_-23 egotism_-14
    egotisms_-10 egotist_-23 egotistic_-14 egotistical_-9 egotistically_-18 egotists_-17 elated_32 elation_15
    elegance_21 elegances_18 elegancies_16 elegancy_21 elegant_21 elegantly_19 embarrass_-12 embarrassable_-16
    embarrassed_-15 embarrassedly_-11 embarrasses_-17 embarrassing_-16 embarrassingly_-17 embarrassment_-19
    embarrassments_-17 embittered_-4 embrace_13 emergency_-16 emotional_6 empathetic_17 emptied_-7 emptier_-7
    emptiers_-7 empties_-7 emptiest_-18 emptily_-10 emptiness_-19 emptinesses_-15 emptins_-3 empty_-8 emptying_-6
    enchanted_16 encourage_23 encouraged_15 encouragement_18 encouragements_21 encourager_15 encouragers_15
    encourages_19 encouraging_24 encouragingly_20 endorse_13 endorsed_10 endorsement_13 endorses_14 enemies_-22
    enemy_-25 energetic_19 energetically_18 energetics_3 energies_9 energise_22 energised_21 energises_22
    energising_19 energization_16 energizations_15 energize_21 energized_23 energizer_21 energizers_17
    energizes_21 energizing_20 energy_11 engage_14 engaged_17 engagement_20 engagements_6 engager_11 engagers_10
    engages_10 engaging_14 engagingly_15 engrossed_6 enjoy_22 enjoyable_19 enjoyableness_19 enjoyably_18
    enjoyed_23 enjoyer_22 enjoyers_22 enjoying_24 enjoyment_26 enjoyments_20 enjoys_23 enlighten_23 enlightened_22
    enlightening_23 enlightens_17 ennui_-12 enrage_-26 enraged_-17 enrages_-18 enraging_-28 enrapture_30
    enslave_-31 enslaved_-17 enslaves_-16 ensure_16 ensuring_11 enterprising_23 entertain_13 entertained_17
    entertainer_16 entertainers_10 entertaining_19 entertainingly_19 entertainment_18 entertainments_23
    entertains_24 enthral_4 enthuse_16 enthused_20 enthuses_17 enthusiasm_19 enthusiasms_20 enthusiast_15
    enthusiastic_22 enthusiastically_26 enthusiasts_14 enthusing_19 entitled_11 entrusted_8 envied_-11 envier_-10
    enviers_-11 envies_-8 envious_-11 envy_-11 envying_-8 envyingly_-13 erroneous_-18 error_-17 errors_-14
    escape_7 escapes_5 escaping_2 esteemed_19 ethical_23 euphoria_33 euphoric_32 eviction_-20 evil_-34
    evildoer_-31 evildoers_-24 evildoing_-31 evildoings_-25 eviler_-21 evilest_-25 eviller_-29 evillest_-33
    evilly_-34 evilness_-31 evils_-27 exaggerate_-6 exaggerated_-4 exaggerates_-6 exaggerating_-7 exasperated_-18
    excel_20 excelled_22 excellence_31 excellences_25 excellencies_24 excellency_25 excellent_27 excellently_31
    excelling_25 excels_25 excelsior_7 excitabilities_15 excitability_12 excitable_15 excitableness_10 excitant_18
    excitants_12 excitation_18 excitations_18 excitative_3 excitatory_11 excite_21 excited_14 excitedly_23
    excitement_22 excitements_19 exciter_19 exciters_14 excites_21 exciting_22 excitingly_19 exciton_3 excitonic_2
    excitons_8 excitor_5 exclude_-9 excluded_-14 exclusion_-12 exclusive_5 excruciate_-27 excruciated_-13
    excruciates_-10 excruciating_-33 excruciatingly_-29 excruciation_-34 excruciations_-19 excuse_3 exempt_4
    exhaust_-12 exhausted_-15 exhauster_-13 exhausters_-13 exhaustibility_-8 exhaustible_-10 exhausting_-15
    exhaustion_-15 exhaustions_-11 exhaustive_-5 exhaustively_-7 exhaustiveness_-11 exhaustless_2
    exhaustlessness_9 exhausts_-11 exhilarated_30 exhilarates_28 exhilarating_17 exonerate_18 exonerated_18
    exonerates_16 exonerating_10 expand_13 expands_4 expel_-19 expelled_-10 expelling_-16 expels_-16 exploit_-4
    exploited_-20 exploiting_-19 exploits_-14 exploration_9 explorations_3 expose_-6 exposed_-3 exposes_-5
    exposing_-11 extend_7 extends_5 exuberant_28 exultant_30 exultantly_14 fab_20 fabulous_24 fabulousness_28
    fad_9 fag_-21 faggot_-34 faggots_-32 fail_-25 failed_-23 failing_-23 failingly_-14 failings_-22 faille_1
    fails_-18 failure_-23 failures_-20 fainthearted_-3 fair_13 faith_18 faithed_13 faithful_19 faithfully_18
    faithfulness_19 faithless_-10 faithlessly_-9 faithlessness_-18 faiths_18 fake_-21 fakes_-18 faking_-18
    fallen_-15 falling_-6 falsified_-16 falsify_-20 fame_19 fan_13 fantastic_26 fantastical_20 fantasticalities_21
    fantasticality_17 fantasticalness_13 fantasticate_15 fantastico_4 farce_-17 fascinate_24 fascinated_21
    fascinates_20 fascination_22 fascinating_25 fascist_-26 fascists_-8 fatal_-25 fatalism_-6 fatalisms_-17
    fatalist_-5 fatalistic_-10 fatalists_-12 fatalities_-29 fatality_-35 fatally_-32 fatigue_-10 fatigued_-14
    fatigues_-13 fatiguing_-12 fatiguingly_-15 fault_-17 faulted_-14 faultfinder_-8 faultfinders_-15
    faultfinding_-21 faultier_-21 faultiest_-21 faultily_-20 faultiness_-15 faulting_-14 faultless_20
    faultlessly_20 faultlessness_11 faults_-21 faulty_-13 fave_19 favor_17 favorable_21 favorableness_22
    favorably_16 favored_18 favorer_13 favorers_14 favoring_18 favorite_20 favorited_17 favorites_18 favoritism_7
    favoritisms_7 favors_10 favour_19 favoured_18 favourer_16 favourers_16 favouring_13 favours_18 fear_-22
    feared_-22 fearful_-22 fearfuller_-22 fearfullest_-25 fearfully_-22 fearfulness_-18 fearing_-27 fearless_19
    fearlessly_11 fearlessness_11 fears_-18 fearsome_-17 feeble_-12 feeling_5 felonies_-25 felony_-25 ferocious_-4
    ferociously_-11 ferociousness_-10 ferocities_-10 ferocity_-7 fervent_11 fervid_5 festival_22 festivalgoer_13
    festivalgoers_12 festivals_15 festive_20 festively_22 festiveness_24 festivities_21 festivity_22 feud_-14
    feudal_-8 feudalism_-9 feudalisms_-2 feudalist_-9 feudalistic_-11 feudalities_-4 feudality_-5 feudalization_-3
    feudalize_-5 feudalized_-8 feudalizes_-1 feudalizing_-7 feudally_-6 feudaries_-3 feudary_-8 feudatories_-5
    feudatory_-1 feuded_-22 feuding_-16 feudist_-11 feudists_-7 feuds_-14 fiasco_-23 fidgety_-14 fiery_-14
    fiesta_21 fiestas_15 fight_-16 fighter_6 fighters_-2 fighting_-15 fightings_-19 fights_-17 fine_8 fire_-14
    fired_-26 firing_-14 fit_15 fitness_11 flagship_4 flatter_4 flattered_16 flatterer_-3 flatterers_3
    flatteries_12 flattering_13 flatteringly_10 flatters_6 flattery_4 flawed_-21 flawless_23 flawlessly_8 flees_-7
    flexibilities_10 flexibility_14 flexible_9 flexibly_13 flirtation_17 flirtations_-1 flirtatious_5
    flirtatiously_-1 flirtatiousness_6 flirted_-2 flirter_-4 flirters_6 flirtier_-1 flirtiest_4 flirting_8
    flirts_7 flirty_6 flop_-14 flops_-14 flu_-16 flunk_-13 flunked_-21 flunker_-19 flunkers_-16 flunkey_-18
    flunkeys_-6 flunkies_-14 flunking_-15 flunks_-18 flunky_-18 flustered_-10 focused_16 foe_-19 foehns_2
    foeman_-18 foemen_-3 foes_-20 foetal_-1 foetid_-23 foetor_-30 foetors_-21 foetus_2 foetuses_2 fond_19
    fondly_19 fondness_25 fool_-19 fooled_-16 fooleries_-18 foolery_-18 foolfish_-8 foolfishes_-4 foolhardier_-15
    foolhardiest_-13 foolhardily_-10 foolhardiness_-16 foolhardy_-14 fooling_-17 foolish_-11 foolisher_-17
    foolishest_-14 foolishly_-18 foolishness_-18 foolishnesses_-20 foolproof_16 fools_-22 foolscaps_-8 forbid_-13
    forbiddance_-14 forbiddances_-10 forbidden_-18 forbidder_-16 forbidders_-15 forbidding_-19 forbiddingly_-19
    forbids_-13 forced_-20 foreclosure_-5 foreclosures_-24 forgave_14 forget_-9 forgetful_-11 forgivable_17
    forgivably_16 forgive_11 forgiven_16 forgiveness_11 forgiver_17 forgivers_12 forgives_17 forgiving_19
    forgivingly_14 forgivingness_18 forgotten_-9 fortunate_19 fought_-13 foughten_-19 frantic_-19 frantically_-14
    franticness_-7 fraud_-28 frauds_-23 fraudster_-25 fraudsters_-24 fraudulence_-23 fraudulent_-22 freak_-19
    freaked_-12 freakier_-13 freakiest_-16 freakiness_-14 freaking_-18 freakish_-21 freakishly_-8 freakishness_-14
    freakout_-18 freakouts_-15 freaks_-4 freaky_-15 free_23 freebase_-1 freebased_8 freebases_8 freebasing_-4
    freebee_13 freebees_13 freebie_18 freebies_18 freeboard_3 freeboards_7 freeboot_-7 freebooter_-17
    freebooters_-2 freebooting_-8 freeborn_12 freed_17 freedman_11 freedmen_7 freedom_32 freedoms_12 freedwoman_16
    freedwomen_13 freeform_9 freehand_5 freehanded_14 freehearted_15 freehold_7 freeholder_5 freeholders_1
    freeholds_10 freeing_21 freelance_12 freelanced_7 freelancer_11 freelancers_4 freelances_7 freelancing_4
    freeload_-19 freeloaded_-16 freeloader_-7 freeloaders_-1 freeloading_-13 freeloads_-13 freely_19 freeman_17
    freemartin_-5 freemasonries_7 freemasonry_3 freemen_15 freeness_16 freenesses_17 freer_11 freers_10 frees_12
    freesia_4 freesias_4 freest_16 freestanding_11 freestyle_7 freestyler_4 freestylers_8 freestyles_3
    freethinker_10 freethinkers_10 freethinking_11 freeware_7 freeway_2 freewheel_5 freewheeled_3 freewheeler_2
    freewheelers_-3 freewheeling_5 freewheelingly_8 freewheels_6 freewill_10 freewriting_8 freeze_2 freezers_-1
    freezes_-1 freezing_-4 freezingly_-16 frenzy_-13 fresh_13 friend_22 friended_17 friending_18 friendless_-15
    friendlessness_-3 friendlier_20 friendlies_22 friendliest_26 friendlily_18 friendliness_20 friendly_22
    friends_21 friendship_19 friendships_16 fright_-16 frighted_-14 frighten_-14 frightened_-19 frightening_-22
    frighteningly_-21 frightens_-17 frightful_-23 frightfully_-17 frightfulness_-19 frighting_-15 frights_-11
    frisky_10 frowning_-14 frustrate_-20 frustrated_-24 frustrates_-19 frustrating_-19 frustratingly_-20
    frustration_-21 frustrations_-20 fuck_-25 fucked_-34 fucker_-33 fuckers_-29 fuckface_-32 fuckhead_-31
    fucks_-21 fucktard_-31 fud_-11 fuked_-25 fuking_-32 fulfill_19 fulfilled_18 fulfills_10 fume_-12 fumed_-18
    fumeless_3 fumelike_-7 fumer_7 fumers_-8 fumes_-1 fumet_4 fumets_-4 fumette_-6 fuming_-27 fun_23 funeral_-15
    funerals_-16 funky_-4 funned_23 funnel_1 funneled_1 funnelform_5 funneling_-1 funnelled_-1 funnelling_1
    funnels_4 funner_22 funnest_29 funnier_17 funnies_13 funniest_26 funnily_19 funniness_18 funninesses_16
    funning_18 funny_19 funnyman_14 funnymen_13 furious_-27 furiously_-19 fury_-27 futile_-19 gag_-14 gagged_-13
    gain_24 gained_16 gaining_18 gains_14 gallant_17 gallantly_19 gallantry_26 geek_-8 geekier_2 geekiest_-1
    geeks_-4 geeky_-6 generosities_26 generosity_23 generous_23 generously_18 generousness_24 genial_18 gentle_19
    gentler_14 gentlest_18 gently_20 ghost_-13 giddy_-6 gift_19 giggle_18 giggled_15 giggler_6 gigglers_14
    giggles_8 gigglier_10 giggliest_17 giggling_15 gigglingly_11 giggly_10 giver_14 givers_17 giving_14 glad_20
    gladly_14 glamor_21 glamorise_13 glamorised_18 glamorises_21 glamorising_12 glamorization_16 glamorize_17
    glamorized_21 glamorizer_24 glamorizers_16 glamorizes_24 glamorizing_18 glamorous_23 glamorously_21 glamors_14
    glamour_24 glamourize_8 glamourless_-16 glamourous_20 glamours_19 glee_32 gleeful_29 gloom_-26 gloomed_-19
    gloomful_-21 gloomier_-15 gloomiest_-18 gloominess_-18 gloominesses_-10 glooming_-18 glooms_-9 gloomy_-6
    gloried_24 glories_21 glorification_20 glorified_23 glorifier_23 glorifiers_16 glorifies_22 glorify_27
    glorifying_24 gloriole_15 glorioles_12 glorious_32 gloriously_29 gloriousness_26 glory_25 glum_-21 gn8_6
    god_11 goddam_-25 goddammed_-24 goddamn_-21 goddamned_-18 goddamns_-21 goddams_-19 godsend_28 good_19
    goodness_20 gorgeous_30 gorgeously_23 gorgeousness_29 gorgeousnesses_21 gossip_-7 gossiped_-11 gossiper_-11
    gossipers_-11 gossiping_-16 gossipmonger_-10 gossipmongers_-14 gossipped_-13 gossipping_-18 gossipries_-8
    gossipry_-12 gossips_-13 gossipy_-13 grace_18 graced_9 graceful_20 gracefuller_22 gracefullest_28
    gracefully_24 gracefulness_22 graces_16 gracile_17 graciles_6 gracilis_4 gracility_12 gracing_13 gracioso_10
    gracious_26 graciously_23 graciousness_24 grand_20 grandee_11 grandees_12 grander_17 grandest_24 grandeur_24
    grandeurs_21 grant_15 granted_10 granting_13 grants_9 grateful_20 gratefuller_18 gratefully_21 gratefulness_22
    graticule_1 graticules_2 gratification_16 gratifications_18 gratified_16 gratifies_15 gratify_13 gratifying_23
    gratifyingly_20 gratin_4 grating_-4 gratingly_-2 gratings_-8 gratins_2 gratis_2 gratitude_23 gratz_20
    grave_-16 graved_-9 gravel_-5 graveled_-5 graveless_-13 graveling_-4 gravelled_-9 gravelling_-4 gravelly_-9
    gravels_-5 gravely_-15 graven_-9 graveness_-15 graver_-11 gravers_-12 graves_-12 graveside_-8 gravesides_-16
    gravest_-13 gravestone_-7 gravestones_-5 graveyard_-12 graveyards_-12 great_31 greater_15 greatest_32
    greed_-17 greedier_-20 greediest_-28 greedily_-19 greediness_-17 greeds_-10 greedy_-13 greenwash_-18
    greenwashing_-4 greet_13 greeted_11 greeting_16 greetings_18 greets_6 grey_2 grief_-22 grievance_-21
    grievances_-15 grievant_-8 grievants_-11 grieve_-16 grieved_-20 griever_-19 grievers_-3 grieves_-21
    grieving_-23 grievous_-20 grievously_-17 grievousness_-27 grim_-27 grimace_-10 grimaced_-20 grimaces_-18
    grimacing_-14 grimalkin_-9 grimalkins_-9 grime_-15 grimed_-12 grimes_-10 grimier_-16 grimiest_-7 grimily_-7
    griminess_-16 griming_-7 grimly_-13 grimmer_-15 grimmest_-8 grimness_-8 grimy_-18 grin_21 grinned_11
    grinner_11 grinners_16 grinning_15 grins_9 gross_-21 grossed_-4 grosser_-3 grosses_-8 grossest_-21 grossing_-3
    grossly_-9 grossness_-18 grossular_-3 grossularite_-1 grossularites_-7 grossulars_-3 grouch_-22 grouched_-8
    grouches_-9 grouchier_-20 grouchiest_-23 grouchily_-14 grouchiness_-20 grouching_-17 grouchy_-19 growing_7
    growth_16 guarantee_10 guilt_-11 guiltier_-20 guiltiest_-17 guiltily_-11 guiltiness_-18 guiltless_8
    guiltlessly_7 guiltlessness_6 guilts_-14 guilty_-18 gullibility_-16 gullible_-15 gun_-14 h8_-27 ha_14
    hacked_-17 haha_20 hahaha_26 hahas_18 hail_3 hailed_9 hallelujah_30 handsome_22 handsomely_19 handsomeness_24
    handsomer_20 handsomest_26 hapless_-14 haplessness_-14 happier_24 happiest_32 happily_26 happiness_26
    happing_11 happy_27 harass_-22 harassed_-25 harasser_-24 harassers_-28 harasses_-25 harassing_-25
    harassment_-25 harassments_-26 hard_-4 hardier_-6 hardship_-13 hardy_17 harm_-25 harmed_-21 harmfully_-26
    harmfulness_-26 harming_-26 harmless_10 harmlessly_14 harmlessness_8 harmonic_18 harmonica_6 harmonically_21
    harmonicas_1 harmonicist_5 harmonicists_9 harmonics_15 harmonies_13 harmonious_20 harmoniously_19
    harmoniousness_18 harmonise_18 harmonised_13 harmonising_14 harmonium_9 harmoniums_8 harmonization_19
    harmonizations_9 harmonize_17 harmonized_16 harmonizer_16 harmonizers_16 harmonizes_15 harmonizing_14
    harmony_17 harms_-22 harried_-14 harsh_-19 harsher_-22 harshest_-29 hate_-27 hated_-32 hateful_-22
    hatefully_-23 hatefulness_-36 hater_-18 haters_-22 hates_-19 hating_-23 hatred_-32 haunt_-17 haunted_-21
    haunting_-11 haunts_-10 havoc_-29 healthy_17 heartbreak_-27 heartbreaker_-22 heartbreakers_-21
    heartbreaking_-20 heartbreakingly_-18 heartbreaks_-18 heartbroken_-33 heartfelt_25 heartless_-22
    heartlessly_-28 heartlessness_-28 heartwarming_21 heaven_23 heavenlier_30 heavenliest_27 heavenliness_27
    heavenlinesses_23 heavenly_30 heavens_17 heavenward_14 heavenwards_12 heavyhearted_-21 heh_-6 hell_-36
    hellish_-32 help_17 helper_14 helpers_11 helpful_18 helpfully_23 helpfulness_19 helping_12 helpless_-20
    helplessly_-14 helplessness_-21 helplessnesses_-17 helps_16 hero_26 heroes_23 heroic_26 heroical_29
    heroically_24 heroicomic_10 heroicomical_11 heroics_24 heroin_-22 heroine_27 heroines_18 heroinism_-20
    heroism_28 heroisms_22 heroize_21 heroized_20 heroizes_22 heroizing_19 heron_1 heronries_7 heronry_1 herons_5
    heros_13 hesitance_-9 hesitancies_-10 hesitancy_-9 hesitant_-10 hesitantly_-12 hesitate_-11 hesitated_-13
    hesitater_-14 hesitaters_-14 hesitates_-14 hesitating_-14 hesitatingly_-15 hesitation_-11 hesitations_-11
    hid_-4 hide_-7 hides_-7 hiding_-12 highlight_14 hilarious_17 hindrance_-17 hoax_-11 holiday_17 holidays_16
    homesick_-7 homesickness_-18 homesicknesses_-18 honest_23 honester_19 honestest_30 honesties_18 honestly_20
    honesty_22 honor_22 honorability_22 honorable_25 honorableness_22 honorably_24 honoraria_6 honoraries_15
    honorarily_19 honorarium_7 honorariums_10 honorary_14 honored_28 honoree_21 honorees_23 honorer_17 honorers_13
    honorific_14 honorifically_22 honorifics_17 honoring_23 honors_23 honour_27 honourable_21 honoured_22
    honourer_18 honourers_16 honouring_21 honours_22 hooligan_-15 hooliganism_-21 hooligans_-11 hooray_23 hope_19
    hoped_16 hopeful_23 hopefully_17 hopefulness_16 hopeless_-20 hopelessly_-22 hopelessness_-31 hopes_18
    hoping_18 horrendous_-28 horrendously_-19 horrent_-9 horrible_-25 horribleness_-24 horribles_-21 horribly_-24
    horrid_-25 horridly_-14 horridness_-23 horridnesses_-30 horrific_-34 horrifically_-29 horrified_-25
    horrifies_-29 horrify_-25 horrifying_-27 horrifyingly_-33 horror_-27 horrors_-27 hostile_-16 hostilely_-22
    hostiles_-13 hostilities_-21 hostility_-25 huckster_-9 hug_21 huge_13 huggable_16 hugged_17 hugger_16
    huggers_18 hugging_18 hugs_22 humerous_14 humiliate_-25 humiliated_-14 humiliates_-10 humiliating_-12
    humiliatingly_-26 humiliation_-27 humiliations_-24 humor_11 humoral_6 humored_12 humoresque_12 humoresques_9
    humoring_21 humorist_12 humoristic_15 humorists_13 humorless_-13 humorlessness_-14 humorous_16 humorously_23
    humorousness_24 humors_16 humour_21 humoured_11 humouring_17 humourous_20 hunger_-10 hurrah_26 hurrahed_19
    hurrahing_24 hurrahs_21 hurray_27 hurrayed_18 hurraying_12 hurrays_24 hurt_-24 hurter_-23 hurters_-19
    hurtful_-24 hurtfully_-26 hurtfulness_-19 hurting_-17 hurtle_-3 hurtled_-6 hurtles_-10 hurtless_3 hurtling_-14
    hurts_-21 hypocritical_-20 hysteria_-19 hysterical_-1 hysterics_-18 ideal_24 idealess_-19 idealise_14
    idealised_21 idealises_20 idealising_6 idealism_17 idealisms_8 idealist_16 idealistic_18 idealistically_17
    idealists_7 idealities_15 ideality_19 idealization_18 idealizations_14 idealize_12 idealized_18 idealizer_13
    idealizers_19 idealizes_20 idealizing_14 idealless_-17 ideally_18 idealogues_5 idealogy_8 ideals_8 idiot_-23
    idiotic_-26 ignorable_-10 ignorami_-19 ignoramus_-19 ignoramuses_-23 ignorance_-15 ignorances_-12 ignorant_-11
    ignorantly_-16 ignorantness_-11 ignore_-15 ignored_-13 ignorer_-13 ignorers_-7 ignores_-11 ignoring_-17
    ill_-18 illegal_-26 illiteracy_-19 illness_-17 illnesses_-22 imbecile_-22 immobilized_-12 immoral_-20
    immoralism_-16 immoralist_-21 immoralists_-17 immoralities_-11 immorality_-6 immorally_-21 immortal_10
    immune_12 impatience_-18 impatiens_-2 impatient_-12 impatiently_-17 imperfect_-13 impersonal_-13 impolite_-16
    impolitely_-18 impoliteness_-18 impolitenesses_-23 importance_15 importancies_4 importancy_14 important_8
    importantly_13 impose_-12 imposed_-3 imposes_-4 imposing_-4 impotent_-11 impress_19 impressed_21 impresses_21
    impressibility_12 impressible_8 impressing_25 impression_9 impressionable_2 impressionism_8 impressionisms_5
    impressionist_10 impressionistic_15 impressionistically_16 impressionists_5 impressions_9 impressive_23
    impressively_20 impressiveness_17 impressment_-4 impressments_5 impressure_6 imprisoned_-20 improve_19
    improved_21 improvement_20 improvements_13 improver_18 improvers_13 improves_18 improving_18 inability_-17
    inaction_-10 inadequacies_-17 inadequacy_-17 inadequate_-17 inadequately_-10 inadequateness_-17
    inadequatenesses_-16 incapable_-16 incapacitated_-19 incensed_-20 incentive_15 incentives_13 incompetence_-23
    incompetent_-21 inconsiderate_-19 inconvenience_-15 inconvenient_-14 increase_13 increased_11 indecision_-8
    indecisions_-11 indecisive_-10 indecisively_-7 indecisiveness_-13 indecisivenesses_-9 indestructible_6
    indifference_-2 indifferent_-8 indignant_-18 indignation_-24 indoctrinate_-14 indoctrinated_-4
    indoctrinates_-6 indoctrinating_-7 ineffective_-5 ineffectively_-13 ineffectiveness_-13 ineffectual_-12
    ineffectuality_-16 ineffectually_-11 ineffectualness_-13 infatuated_2 infatuation_6 infected_-22 inferior_-17
    inferiorities_-19 inferiority_-11 inferiorly_-20 inferiors_-5 inflamed_-14 influential_19 infringement_-21
    infuriate_-22 infuriated_-30 infuriates_-26 infuriating_-24 inhibin_-2 inhibit_-16 inhibited_-4 inhibiting_-4
    inhibition_-15 inhibitions_-8 inhibitive_-14 inhibitor_-3 inhibitors_-10 inhibitory_-10 inhibits_-9
    injured_-17 injury_-18 injustice_-27 innocence_16 innocency_19 innocent_14 innocenter_9 innocently_14
    innocents_11 innovate_22 innovates_20 innovation_16 innovative_19 inquisition_-12 inquisitive_7 insane_-17
    insanity_-27 insecure_-18 insecurely_-14 insecureness_-18 insecurities_-18 insecurity_-18 insensitive_-9
    insensitivity_-18 insignificant_-14 insincere_-18 insincerely_-19 insincerity_-14 insipid_-20 inspiration_24
    inspirational_23 inspirationally_23 inspirations_21 inspirator_19 inspirators_12 inspiratory_15 inspire_27
    inspired_22 inspirer_22 inspirers_20 inspires_19 inspiring_18 inspiringly_26 inspirit_19 inspirited_13
    inspiriting_18 inspiritingly_21 inspirits_8 insult_-23 insulted_-23 insulter_-20 insulters_-20 insulting_-22
    insultingly_-23 insults_-18 intact_8 integrity_16 intellect_20 intellection_6 intellections_8 intellective_17
    intellectively_8 intellects_18 intellectual_23 intellectualism_22 intellectualist_20 intellectualistic_13
    intellectualists_8 intellectualities_17 intellectuality_17 intellectualization_15 intellectualize_15
    intellectualized_12 intellectualizes_18 intellectualizing_8 intellectually_14 intellectualness_15
    intellectuals_16 intelligence_21 intelligencer_15 intelligencers_16 intelligences_16 intelligent_20
    intelligential_19 intelligently_20 intelligentsia_15 intelligibility_15 intelligible_14 intelligibleness_15
    intelligibly_12 intense_3 interest_20 interested_17 interestedly_15 interesting_17 interestingly_17
    interestingness_18 interests_10 interrogated_-16 interrupt_-14 interrupted_-12 interrupter_-11
    interrupters_-13 interruptible_-13 interrupting_-12 interruption_-15 interruptions_-17 interruptive_-14
    interruptor_-13 interrupts_-13 intimidate_-8 intimidated_-19 intimidates_-13 intimidating_-19
    intimidatingly_-11 intimidation_-18 intimidations_-14 intimidator_-16 intimidators_-16 intimidatory_-11
    intricate_6 intrigues_9 invigorate_19 invigorated_8 invigorates_21 invigorating_21 invigoratingly_20
    invigoration_15 invigorations_12 invigorator_11 invigorators_12 invincible_22 invite_6 inviting_13
    invulnerable_13 irate_-29 ironic_-5 irony_-2 irrational_-14 irrationalism_-15 irrationalist_-21
    irrationalists_-15 irrationalities_-15 irrationality_-17 irrationally_-16 irrationals_-11 irresistible_14
    irresolute_-14 irresponsible_-19 irreversible_-8 irritabilities_-17 irritability_-14 irritable_-21
    irritableness_-17 irritably_-18 irritant_-23 irritants_-21 irritate_-18 irritated_-20 irritates_-17
    irritating_-20 irritatingly_-20 irritation_-23 irritations_-15 irritative_-20 isolatable_2 isolate_-8
    isolated_-13 isolates_-13 isolation_-17 isolationism_4 isolationist_7 isolations_-5 isolator_-4 isolators_-4
    itchy_-11 jackass_-18 jackasses_-28 jaded_-16 jailed_-22 jaunty_12 jealous_-20 jealousies_-20 jealously_-20
    jealousness_-17 jealousy_-13 jeopardy_-21 jerk_-14 jerked_-8 jerks_-11 jewel_15 jewels_20 jocular_12 join_12
    joke_12 joked_13 joker_5 jokes_10 jokester_15 jokesters_9 jokey_11 joking_9 jollied_24 jollier_24 jollies_20
    jolliest_29 jollification_22 jollifications_20 jollify_21 jollily_27 jolliness_25 jollities_17 jollity_18
    jolly_23 jollying_23 jovial_19 joy_28 joyance_23 joyed_29 joyful_29 joyfuller_24 joyfully_25 joyfulness_27
    joying_25 joyless_-25 joylessly_-17 joylessness_-27 joyous_31 joyously_29 joyousness_28 joypop_-2
    joypoppers_-1 joyridden_6 joyride_11 joyrider_7 joyriders_13 joyrides_8 joyriding_9 joyrode_10 joys_22
    joystick_7 joysticks_2 jubilant_30 jumpy_-10 justice_24 justifiably_10 justified_17 keen_15 keened_3 keener_5
    keeners_6 keenest_19 keening_-7 keenly_10 keenness_14 keens_1 kewl_13 kidding_4 kill_-37 killdeer_-11
    killdeers_-1 killdees_-6 killed_-35 killer_-33 killers_-33 killick_1 killie_-1 killifish_-1 killifishes_-1
    killing_-34 killingly_-26 killings_-35 killjoy_-21 killjoys_-17 killock_-3 killocks_-4 kills_-25 kind_24
    kinder_22 kindly_22 kindness_20 kindnesses_23 kiss_18 kissable_20 kissably_19 kissed_16 kisser_17 kissers_15
    kisses_23 kissing_27 kissy_18 kudos_23 lack_-13 lackadaisical_-16 lag_-14 lagged_-12 lagging_-11 lags_-15
    laidback_5 lame_-18 lamebrain_-16 lamebrained_-25 lamebrains_-12 lamedh_1 lamella_-1 lamellae_-1 lamellas_1
    lamellibranch_2 lamellibranchs_-1 lamely_-20 lameness_-8 lament_-20 lamentable_-15 lamentableness_-13
    lamentably_-15 lamentation_-14 lamentations_-19 lamented_-14 lamenter_-12 lamenters_-5 lamenting_-20
    laments_-15 lamer_-14 lames_-12 lamest_-15 landmark_3 laugh_26 laughable_2 laughableness_12 laughably_12
    laughed_20 laugher_17 laughers_17 laughing_22 laughingly_23 laughings_19 laughingstocks_-13 laughs_22
    laughter_22 laughters_22 launched_5 lawl_14 lawsuit_-9 lawsuits_-6 lazier_-23 laziest_-27 lazy_-15 leak_-14
    leaked_-13 leave_-2 leet_13 legal_5 legally_4 lenient_11 lethargic_-12 lethargy_-14 liabilities_-8
    liability_-8 liar_-23 liards_-4 liars_-24 libelous_-21 libertarian_9 libertarianism_4 libertarianisms_1
    libertarians_1 liberties_23 libertinage_2 libertine_-9 libertines_4 libertinisms_12 liberty_24 lied_-16
    lies_-18 lifesaver_28 lighthearted_18 like_15 likeable_20 liked_18 likes_18 liking_17 limitation_-12
    limited_-9 litigation_-8 litigious_-8 livelier_17 liveliest_21 livelihood_8 livelihoods_9 livelily_18
    liveliness_16 livelong_17 lively_19 livid_-25 loathe_-22 loathed_-21 loathes_-19 loathing_-27 lobby_1
    lobbying_-3 lone_-11 lonelier_-14 loneliest_-24 loneliness_-18 lonelinesses_-15 lonely_-15 loneness_-11
    loner_-13 loners_-9 lonesome_-15 lonesomely_-13 lonesomeness_-18 lonesomes_-14 longing_-1 longingly_7
    longings_4 loom_-9 loomed_-11 looming_-5 looms_-6 loose_-13 looses_-6 lose_-17 loser_-24 losers_-24 loses_-13
    losing_-16 loss_-13 losses_-17 lossy_-12 lost_-13 louse_-16 loused_-10 louses_-13 lousewort_1 louseworts_-6
    lousier_-22 lousiest_-26 lousily_-12 lousiness_-17 lousing_-11 lousy_-25 lovable_30 love_32 loved_29
    lovelies_22 lovely_28 lover_28 loverly_28 lovers_24 loves_27 loving_29 lovingly_32 lovingness_27 low_-11
    lowball_-8 lowballed_-15 lowballing_-7 lowballs_-12 lowborn_-7 lowboys_-6 lowbred_-26 lowbrow_-19 lowbrows_-6
    lowdown_-8 lowdowns_-2 lowe_5 lowed_-8 lower_-12 lowercase_3 lowercased_-2 lowerclassman_-4 lowered_-5
    lowering_-10 lowermost_-14 lowers_-5 lowery_-18 lowest_-16 lowing_-5 lowish_-9 lowland_-1 lowlander_-4
    lowlanders_-3 lowlands_-1 lowlier_-17 lowliest_-18 lowlife_-15 lowlifes_-22 lowlight_-20 lowlights_-3
    lowlihead_-3 lowliness_-11 lowlinesses_-12 lowlives_-21 lowly_-10 lown_9 lowness_-13 lowrider_-2 lowriders_1
    lows_-8 lowse_-7 loyal_21 loyalism_10 loyalisms_9 loyalist_15 loyalists_11 loyally_21 loyalties_19 loyalty_25
    luck_20 lucked_19 luckie_16 luckier_19 luckiest_29 luckily_23 luckiness_10 lucking_12 luckless_-13 lucks_16
    lucky_18 ludicrous_-15 ludicrously_-2 ludicrousness_-19 lugubrious_-21 lulz_20 lunatic_-22 lunatics_-16
    lurk_-8 lurking_-5 lurks_-9 lying_-24 mad_-22 maddening_-22 madder_-12 maddest_-28 madly_-17 madness_-19
    magnific_23 magnifical_24 magnifically_24 magnification_10 magnifications_12 magnificence_24 magnificences_23
    magnificent_29 magnificently_34 magnifico_18 magnificoes_14 mandatory_3 maniac_-21 maniacal_-3 maniacally_-17
    maniacs_-12 manipulated_-16 manipulating_-15 manipulation_-12 marvel_18 marvelous_29 marvels_20 masochism_-16
    masochisms_-11 masochist_-17 masochistic_-22 masochistically_-16 masochists_-12 masterpiece_31 masterpieces_25
    matter_1 matters_1 mature_18 meaningful_13 meaningless_-19 medal_21 mediocrity_-3 meditative_14 meh_-3
    melancholia_-5 melancholiac_-20 melancholias_-16 melancholic_-3 melancholics_-10 melancholies_-11
    melancholy_-19 menace_-22 menaced_-17 mercy_15 merit_18 merited_14 meriting_11 meritocracy_6 meritocrat_4
    meritocrats_11 meritorious_21 meritoriously_13 meritoriousness_17 merits_17 merrier_17 merriest_27 merrily_24
    merriment_24 merriments_20 merriness_22 merry_25 merrymaker_22 merrymakers_17 merrymaking_22 merrymakings_24
    merrythought_11 merrythoughts_16 mess_-15 messed_-14 messy_-15 methodical_6 mindless_-19 miracle_28 mirth_26
    mirthful_27 mirthfully_20 misbehave_-19 misbehaved_-16 misbehaves_-16 misbehaving_-17 mischief_-15
    mischiefs_-8 miser_-18 miserable_-22 miserableness_-28 miserably_-21 miserere_-8 misericorde_1 misericordes_-5
    miseries_-27 miserliness_-26 miserly_-14 misers_-15 misery_-27 misgiving_-14 misinformation_-13
    misinformed_-16 misinterpreted_-13 misleading_-17 misread_-11 misreporting_-15 misrepresentation_-20 miss_-6
    missed_-12 misses_-9 missing_-12 mistakable_-8 mistake_-14 mistaken_-15 mistakenly_-12 mistaker_-16
    mistakers_-16 mistakes_-15 mistaking_-11 misunderstand_-15 misunderstanding_-18 misunderstands_-13
    misunderstood_-14 mlm_-14 mmk_6 moan_-6 moaned_-4 moaning_-4 moans_-6 mock_-18 mocked_-13 mocker_-8
    mockeries_-16 mockers_-13 mockery_-13 mocking_-17 mocks_-20 molest_-21 molestation_-19 molestations_-29
    molested_-19 molester_-23 molesters_-22 molesting_-28 molests_-31 mongering_-8 monopolize_-8 monopolized_-9
    monopolizes_-11 monopolizing_-5 mooch_-17 mooched_-14 moocher_-15 moochers_-19 mooches_-14 mooching_-17
    moodier_-11 moodiest_-21 moodily_-13 moodiness_-14 moodinesses_-14 moody_-15 mope_-19 moping_-10 moron_-22
    moronic_-27 moronically_-14 moronity_-11 morons_-13 motherfucker_-36 motherfucking_-28 motivate_16
    motivated_20 motivating_22 motivation_14 mourn_-18 mourned_-13 mourner_-16 mourners_-18 mournful_-16
    mournfuller_-19 mournfully_-17 mournfulness_-18 mourning_-19 mourningly_-23 mourns_-24 mumpish_-14 murder_-37
    murdered_-34 murderee_-32 murderees_-31 murderer_-36 murderers_-33 murderess_-22 murderesses_-26 murdering_-33
    murderous_-32 murderously_-31 murderousness_-29 murders_-30 n00b_-16 nag_-15 nagana_-17 nagged_-17 nagger_-18
    naggers_-15 naggier_-14 naggiest_-24 nagging_-17 naggingly_-9 naggy_-17 nags_-11 nah_-4 naive_-11 nastic_2
    nastier_-23 nasties_-21 nastiest_-24 nastily_-19 nastiness_-11 nastinesses_-26 nasturtium_4 nasturtiums_1
    nasty_-26 natural_15 neat_20 neaten_12 neatened_20 neatening_13 neatens_11 neater_10 neatest_17 neath_2
    neatherd_-4 neatly_14 neatness_13 neats_11 needy_-14 negative_-27 negativity_-23 neglect_-20 neglected_-24
    neglecter_-17 neglecters_-15 neglectful_-20 neglectfully_-21 neglectfulness_-20 neglecting_-17 neglects_-22
    nerd_-12 nerdier_-2 nerdiest_6 nerdish_-1 nerdy_-2 nerves_-4 nervous_-11 nervously_-6 nervousness_-12
    neurotic_-14 neurotically_-18 neuroticism_-9 neurotics_-7 nice_18 nicely_19 niceness_16 nicenesses_21 nicer_19
    nicest_22 niceties_15 nicety_12 nifty_17 niggas_-14 nigger_-33 no_-12 noble_20 noisy_-7 nonsense_-17 noob_-2
    nosey_-8 notorious_-19 novel_13 numb_-14 numbat_2 numbed_-9 number_3 numberable_6 numbest_-10 numbfish_-4
    numbfishes_-7 numbing_-11 numbingly_-13 numbles_4 numbly_-14 numbness_-11 numbs_-7 numbskull_-23
    numbskulls_-22 nurtural_15 nurturance_16 nurturances_13 nurturant_17 nurture_14 nurtured_19 nurturer_19
    nurturers_8 nurtures_19 nurturing_20 nuts_-13 o/\o_21 o_0_-1 obliterate_-29 obliterated_-21 obnoxious_-20
    obnoxiously_-23 obnoxiousness_-21 obscene_-28 obsess_-10 obsessed_-7 obsesses_-10 obsessing_-14 obsession_-14
    obsessional_-15 obsessionally_-13 obsessions_-9 obsessive_-9 obsessively_-4 obsessiveness_-12 obsessives_-7
    obsolete_-12 obstacle_-15 obstacles_-16 obstinate_-12 odd_-13 offence_-12 offences_-14 offend_-12 offended_-10
    offender_-15 offenders_-15 offending_-23 offends_-20 offense_-10 offenseless_7 offenses_-15 offensive_-20
    offensively_-28 offensiveness_-23 offensives_-8 offline_-5 okay_9 okays_21 ominous_-14 once-in-a-lifetime_18
    openness_14 opportune_17 opportunely_15 opportuneness_12 opportunism_4 opportunisms_2 opportunist_2
    opportunistic_-1 opportunistically_9 opportunists_3 opportunities_16 opportunity_18 oppressed_-21
    oppressive_-17 optimal_15 optimality_19 optimally_13 optimisation_16 optimisations_18 optimise_19 optimised_17
    optimises_16 optimising_17 optimism_25 optimisms_20 optimist_24 optimistic_13 optimistically_21 optimists_16
    optimization_16 optimizations_9 optimize_22 optimized_20 optimizer_15 optimizers_21 optimizes_18 optimizing_20
    optionless_-17 original_13 outcry_-23 outgoing_12 outmaneuvered_5 outrage_-23 outraged_-25 outrageous_-20
    outrageously_-12 outrageousness_-12 outrageousnesses_-13 outrages_-23 outraging_-20 outreach_11 outstanding_30
    overjoyed_27 overload_-15 overlooked_-1 overreact_-10 overreacted_-17 overreaction_-7 overreacts_-22
    oversell_-9 overselling_-8 oversells_3 oversimplification_2 oversimplifies_1 oversimplify_-6 overstatement_-11
    overstatements_-7 overweight_-15 overwhelm_-7 overwhelmed_2 overwhelmingly_-5 overwhelms_-8 oxymoron_-5
    pain_-23 pained_-18 painful_-19 painfuller_-17 painfully_-24 painfulness_-27 paining_-17 painless_12
    painlessly_11 painlessness_4 pains_-18 palatable_16 palatableness_8 palatably_11 panic_-23 panicked_-20
    panicking_-19 panicky_-15 panicle_5 panicled_1 panicles_-2 panics_-19 paniculate_1 panicums_-1 paradise_32
    paradox_-4 paranoia_-10 paranoiac_-13 paranoiacs_-7 paranoias_-15 paranoid_-10 paranoids_-16 pardon_13
    pardoned_9 pardoning_17 pardons_12 parley_-4 partied_14 partier_14 partiers_7 parties_17 party_17 partyer_12
    partyers_11 partying_16 passion_20 passional_16 passionate_24 passionately_24 passionateness_23
    passionflower_3 passionflowers_4 passionless_-19 passions_22 passive_8 passively_-7 pathetic_-27
    pathetical_-12 pathetically_-18 pay_-4 peace_25 peaceable_17 peaceableness_18 peaceably_20 peaceful_22
    peacefuller_19 peacefullest_31 peacefully_24 peacefulness_21 peacekeeper_16 peacekeepers_16 peacekeeping_20
    peacekeepings_16 peacemaker_20 peacemakers_24 peacemaking_17 peacenik_8 peaceniks_7 peaces_21 peacetime_22
    peacetimes_21 peculiar_6 peculiarities_1 peculiarity_6 peculiarly_-4 penalty_-20 pensive_3 perfect_27
    perfecta_14 perfectas_6 perfected_27 perfecter_18 perfecters_14 perfectest_31 perfectibilities_21
    perfectibility_18 perfectible_15 perfecting_23 perfection_27 perfectionism_13 perfectionist_15
    perfectionistic_7 perfectionists_1 perfections_25 perfective_12 perfectively_21 perfectiveness_9 perfectives_9
    perfectivity_22 perfectly_32 perfectness_30 perfecto_13 perfects_16 peril_-17 perjury_-19 perpetrator_-22
    perpetrators_-10 perplexed_-13 persecute_-21 persecuted_-13 persecutes_-12 persecuting_-15 perturbed_-14
    perverse_-18 perversely_-22 perverseness_-21 perversenesses_-5 perversion_-13 perversions_-12 perversities_-11
    perversity_-26 perversive_-21 pervert_-23 perverted_-25 pervertedly_-12 pervertedness_-12 perverter_-17
    perverters_-6 perverting_-10 perverts_-28 pesky_-12 pessimism_-15 pessimisms_-20 pessimist_-15 pessimistic_-15
    pessimistically_-20 pessimists_-10 petrifaction_-19 petrifactions_-3 petrification_-1 petrifications_-4
    petrified_-25 petrifies_-23 petrify_-17 petrifying_-26 pettier_-3 pettiest_-13 petty_-8 phobia_-16 phobias_-20
    phobic_-12 phobics_-13 picturesque_16 pileup_-11 pique_-11 piqued_1 piss_-17 pissant_-15 pissants_-25
    pissed_-32 pisser_-20 pissers_-14 pisses_-14 pissing_-17 pissoir_-8 piteous_-12 pitiable_-11 pitiableness_-11
    pitiably_-11 pitied_-13 pitier_-12 pitiers_-13 pities_-12 pitiful_-22 pitifuller_-18 pitifullest_-11
    pitifully_-12 pitifulness_-12 pitiless_-18 pitilessly_-21 pitilessness_-5 pity_-12 pitying_-14 pityingly_-10
    pityriasis_-8 play_14 played_14 playful_19 playfully_16 playfulness_12 playing_8 plays_10 pleasant_23
    pleasanter_15 pleasantest_26 pleasantly_21 pleasantness_23 pleasantnesses_23 pleasantries_13 pleasantry_20
    please_13 pleased_19 pleaser_17 pleasers_10 pleases_17 pleasing_24 pleasurability_19 pleasurable_24
    pleasurableness_24 pleasurably_26 pleasure_27 pleasured_23 pleasureless_-16 pleasures_19 pleasuring_28
    poised_10 poison_-25 poisoned_-22 poisoner_-27 poisoners_-31 poisoning_-28 poisonings_-24 poisonous_-27
    poisonously_-29 poisons_-27 poisonwood_-10 pollute_-23 polluted_-20 polluter_-18 polluters_-20 pollutes_-22
    poor_-21 poorer_-15 poorest_-25 popular_18 popularise_16 popularised_11 popularises_5 popularising_12
    popularities_16 popularity_21 popularization_13 popularizations_9 popularize_13 popularized_19 popularizer_18
    popularizers_10 popularizes_14 popularizing_15 popularly_18 positive_26 positively_24 positiveness_23
    positivenesses_22 positiver_23 positives_24 positivest_29 positivism_16 positivisms_18 positivist_20
    positivistic_19 positivists_17 positivities_26 positivity_23 possessive_-9 postpone_-9 postponed_-8
    postpones_-11 postponing_-5 poverty_-23 powerful_18 powerless_-22 praise_26 praised_22 praiser_20 praisers_20
    praises_24 praiseworthily_19 praiseworthiness_24 praiseworthy_26 praising_25 pray_13 praying_15 prays_14
    prblm_-16 prblms_-23 precious_27 preciously_22 preciousness_19 prejudice_-23 prejudiced_-19 prejudices_-18
    prejudicial_-26 prejudicially_-15 prejudicialness_-24 prejudicing_-18 prepared_9 pressure_-12 pressured_-9
    pressureless_10 pressures_-13 pressuring_-14 pressurise_-6 pressurised_-4 pressurises_-8 pressurising_-6
    pressurizations_-3 pressurize_-7 pressurized_1 pressurizer_1 pressurizers_-7 pressurizes_-2 pressurizing_-2
    pretend_-4 pretending_4 pretends_-4 prettied_16 prettier_21 pretties_17 prettiest_27 pretty_22 prevent_1
    prevented_1 preventing_-1 prevents_3 prick_-14 pricked_-6 pricker_-3 prickers_-2 pricket_-5 prickets_3
    pricking_-9 prickle_-10 prickled_-2 prickles_-8 pricklier_-16 prickliest_-14 prickliness_-6 prickling_-8
    prickly_-9 pricks_-9 pricky_-6 pride_14 prison_-23 prisoner_-25 prisoners_-23 privilege_15 privileged_19
    privileges_16 privileging_7 prize_23 prized_24 prizefight_-1 prizefighter_10 prizefighters_-1 prizefighting_4
    prizefights_3 prizer_10 prizers_8 prizes_20 prizewinner_23 prizewinners_24 prizewinning_30 proactive_18
    problem_-17 problematic_-19 problematical_-18 problematically_-20 problematics_-13 problems_-17 profit_19
    profitabilities_11 profitability_11 profitable_19 profitableness_24 profitably_16 profited_13 profiteer_8
    profiteered_-5 profiteering_-6 profiteers_5 profiter_7 profiterole_4 profiteroles_5 profiting_16
    profitless_-15 profits_19 profitwise_9 progress_18 prominent_13 promiscuities_-8 promiscuity_-18
    promiscuous_-3 promiscuously_-15 promiscuousness_-9 promise_13 promised_15 promisee_8 promisees_11 promiser_13
    promisers_16 promises_16 promising_17 promisingly_12 promisor_10 promisors_4 promissory_9 promote_16
    promoted_18 promotes_14 promoting_15 propaganda_-10 prosecute_-17 prosecuted_-16 prosecutes_-18
    prosecution_-22 prospect_12 prospects_12 prosperous_21 protect_16 protected_19 protects_13 protest_-10
    protested_-5 protesters_-9 protesting_-18 protests_-9 proud_21 prouder_22 proudest_26 proudful_19
    proudhearted_14 proudly_26 provoke_-17 provoked_-11 provokes_-13 provoking_-8 pseudoscience_-12 puke_-24
    puked_-18 pukes_-19 puking_-18 pukka_28 punish_-24 punishabilities_-17 punishability_-16 punishable_-19
    punished_-20 punisher_-19 punishers_-26 punishes_-21 punishing_-26 punishment_-22 punishments_-18 punitive_-23
    pushy_-11 puzzled_-7 quaking_-15 questionable_-12 questioned_-4 questioning_-4 racism_-31 racist_-30
    racists_-25 radian_4 radiance_14 radiances_11 radiancies_8 radiancy_14 radians_2 radiant_21 radiantly_13
    radiants_12 rage_-26 raged_-20 ragee_-4 rageful_-28 rages_-21 raging_-24 rainy_-3 rancid_-25 rancidity_-26
    rancidly_-25 rancidness_-26 rancidnesses_-16 rant_-14 ranter_-12 ranters_-12 rants_-13 rape_-37 raped_-36
    raper_-34 rapers_-36 rapes_-35 rapeseeds_-5 raping_-38 rapist_-39 rapists_-33 rapture_6 raptured_9 raptures_7
    rapturous_17 rash_-17 ratified_6 reach_1 reached_4 reaches_2 reaching_8 readiness_10 ready_15 reassurance_15
    reassurances_14 reassure_14 reassured_17 reassures_15 reassuring_17 reassuringly_18 rebel_-6 rebeldom_-15
    rebelled_-10 rebelling_-11 rebellion_-5 rebellions_-11 rebellious_-12 rebelliously_-18 rebelliousness_-12
    rebels_-8 recession_-18 reckless_-17 recommend_15 recommended_8 recommends_9 redeemed_13 reek_-24 reeked_-20
    reeker_-17 reekers_-15 reeking_-20 refuse_-12 refused_-12 refusing_-17 regret_-18 regretful_-19
    regretfully_-19 regretfulness_-16 regrets_-15 regrettable_-23 regrettably_-20 regretted_-16 regretter_-16
    regretters_-20 regretting_-17 reinvigorate_23 reinvigorated_19 reinvigorates_18 reinvigorating_17
    reinvigoration_22 reject_-17 rejected_-23 rejectee_-23 rejectees_-18 rejecter_-16 rejecters_-18 rejecting_-20
    rejectingly_-17 rejection_-25 rejections_-21 rejective_-18 rejector_-18 rejects_-22 rejoice_19 rejoiced_20
    rejoices_21 rejoicing_28 relax_19 relaxant_10 relaxants_7 relaxation_24 relaxations_10 relaxed_22 relaxedly_15
    relaxedness_20 relaxer_16 relaxers_14 relaxes_15 relaxin_17 relaxing_22 relaxins_12 relentless_2 reliant_5
    relief_21 reliefs_13 relievable_11 relieve_15 relieved_16 relievedly_14 reliever_15 relievers_10 relieves_15
    relieving_15 relievo_13 relishing_16 reluctance_-14 reluctancy_-16 reluctant_-10 reluctantly_-4 remarkable_26
    remorse_-11 remorseful_-9 remorsefully_-7 remorsefulness_-7 remorseless_-23 remorselessly_-20
    remorselessness_-28 repetitive_-10 repress_-14 repressed_-13 represses_-13 repressible_-15 repressing_-18
    repression_-16 repressions_-17 repressive_-14 repressively_-17 repressiveness_-10 repressor_-14 repressors_-22
    repressurize_-3 repressurized_1 repressurizes_1 repressurizing_-1 repulse_-28 repulsed_-22 rescue_23
    rescued_18 rescues_13 resent_-7 resented_-16 resentence_-10 resentenced_-8 resentences_-6 resentencing_2
    resentful_-21 resentfully_-14 resentfulness_-20 resenting_-12 resentment_-19 resentments_-19 resents_-12
    resign_-14 resignation_-12 resignations_-12 resigned_-10 resignedly_-7 resignedness_-8 resigner_-12
    resigners_-10 resigning_-9 resigns_-13 resolute_11 resolvable_10 resolve_16 resolved_7 resolvent_7
    resolvents_4 resolver_7 resolvers_14 resolves_7 resolving_16 respect_21 respectabilities_18 respectability_24
    respectable_19 respectableness_12 respectably_17 respected_21 respecter_21 respecters_16 respectful_20
    respectfully_17 respectfulness_19 respectfulnesses_13 respecting_22 respective_18 respectively_14
    respectiveness_11 respects_13 responsible_13 responsive_15 restful_15 restless_-11 restlessly_-14
    restlessness_-12 restore_12 restored_14 restores_12 restoring_12 restrict_-16 restricted_-16 restricting_-16
    restriction_-11 restricts_-13 retained_1 retard_-24 retarded_-27 retreat_8 revenge_-24 revenged_-9
    revengeful_-24 revengefully_-14 revengefulness_-22 revenger_-21 revengers_-20 revenges_-19 revered_23
    revive_14 revives_16 reward_27 rewardable_20 rewarded_22 rewarder_16 rewarders_19 rewarding_24 rewardingly_24
    rewards_21 rich_26 richened_19 richening_10 richens_8 richer_24 riches_24 richest_24 richly_19 richness_22
    richnesses_21 richweed_1 richweeds_-1 ridicule_-20 ridiculed_-15 ridiculer_-16 ridiculers_-16 ridicules_-18
    ridiculing_-18 ridiculous_-15 ridiculously_-14 ridiculousness_-11 ridiculousnesses_-16 rig_-5 rigged_-15
    rigid_-5 rigidification_-11 rigidifications_-8 rigidified_-7 rigidifies_-6 rigidify_-3 rigidities_-7
    rigidity_-7 rigidly_-7 rigidness_-3 rigorous_-11 rigorously_-4 riot_-26 riots_-23 risk_-11 risked_-9 risker_-8
    riskier_-14 riskiest_-15 riskily_-7 riskiness_-13 riskinesses_-16 risking_-13 riskless_13 risks_-11 risky_-8
    rob_-26 robber_-26 robed_-7 robing_-15 robs_-20 robust_14 roflcopter_21 romance_26 romanced_22 romancer_13
    romancers_17 romances_13 romancing_20 romantic_17 romantically_18 romanticise_17 romanticised_17
    romanticises_13 romanticising_27 romanticism_22 romanticisms_21 romanticist_19 romanticists_13
    romanticization_15 romanticizations_20 romanticize_18 romanticized_9 romanticizes_18 romanticizing_12
    romantics_19 rotten_-23 rude_-20 rudely_-22 rudeness_-15 ruder_-21 ruderal_-8 ruderals_-4 rudesby_-20
    rudest_-25 ruin_-28 ruinable_-16 ruinate_-28 ruinated_-15 ruinates_-15 ruinating_-15 ruination_-27
    ruinations_-16 ruined_-21 ruiner_-20 ruing_-16 ruining_-10 ruinous_-27 ruinously_-26 ruinousness_-10 ruins_-19
    sabotage_-24 sad_-21 sadden_-26 saddened_-24 saddening_-22 saddens_-19 sadder_-24 saddest_-30 sadly_-18
    sadness_-19 safe_19 safecracker_-7 safecrackers_-9 safecracking_-9 safecrackings_-7 safeguard_16
    safeguarded_15 safeguarding_11 safeguards_14 safekeeping_14 safelight_11 safelights_8 safely_22 safeness_15
    safer_18 safes_4 safest_17 safeties_15 safety_18 safetyman_3 salient_11 sappy_-10 sarcasm_-9 sarcasms_-9
    sarcastic_-10 sarcastically_-11 satisfaction_19 satisfactions_21 satisfactorily_16 satisfactoriness_15
    satisfactory_15 satisfiable_19 satisfied_18 satisfies_18 satisfy_20 satisfying_20 satisfyingly_19 savage_-20
    savaged_-20 savagely_-22 savageness_-26 savagenesses_-9 savageries_-19 savagery_-25 savages_-24 save_22
    saved_18 scam_-27 scams_-28 scandal_-19 scandalous_-24 scandals_-22 scapegoat_-17 scapegoats_-14 scare_-22
    scarecrow_-8 scarecrows_-7 scared_-19 scaremonger_-21 scaremongers_-20 scarer_-17 scarers_-13 scares_-14
    scarey_-17 scaring_-19 scary_-22 sceptic_-10 sceptical_-12 scepticism_-8 sceptics_-7 scold_-17 scoop_6
    scorn_-17 scornful_-18 scream_-17 screamed_-13 screamers_-15 screaming_-16 screams_-12 screw_-4 screwball_-2
    screwballs_-3 screwbean_3 screwdriver_3 screwdrivers_1 screwed_-22 screwer_-12 screwers_-5 screwier_-6
    screwiest_-20 screwiness_-5 screwing_-9 screwlike_1 screws_-10 screwup_-17 screwups_-10 screwworm_-4
    screwworms_-1 screwy_-14 scrumptious_21 scrumptiously_15 scumbag_-32 secure_14 secured_17 securely_14
    securement_11 secureness_14 securer_15 securers_6 secures_13 securest_26 securing_13 securities_12
    securitization_2 securitizations_1 securitize_3 securitized_14 securitizes_16 securitizing_7 security_14
    sedition_-18 seditious_-17 seduced_-15 self-confident_25 selfish_-21 selfishly_-14 selfishness_-17
    selfishnesses_-20 sentence_3 sentenced_-1 sentences_2 sentencing_-6 sentimental_13 sentimentalise_12
    sentimentalised_8 sentimentalising_4 sentimentalism_10 sentimentalisms_4 sentimentalist_8 sentimentalists_7
    sentimentalities_9 sentimentality_12 sentimentalization_12 sentimentalizations_4 sentimentalize_8
    sentimentalized_11 sentimentalizes_11 sentimentalizing_8 sentimentally_19 serene_20 serious_-3 seriously_-7
    seriousness_-2 severe_-16 severed_-15 severely_-20 severeness_-10 severer_-16 severest_-15 sexy_24 shake_-7
    shakeable_-3 shakedown_-12 shakedowns_-14 shaken_-3 shakeout_-13 shakeouts_-8 shakers_3 shakeup_-6 shakeups_-5
    shakier_-9 shakiest_-12 shakily_-7 shakiness_-7 shaking_-7 shaky_-9 shame_-21 shamed_-26 shamefaced_-23
    shamefacedly_-19 shamefacedness_-20 shamefast_-10 shameful_-22 shamefully_-19 shamefulness_-24
    shamefulnesses_-23 shameless_-14 shamelessly_-14 shamelessness_-14 shamelessnesses_-20 shames_-17 share_12
    shared_14 shares_12 sharing_18 shattered_-21 shit_-26 shitake_-3 shitakes_-11 shithead_-31 shitheads_-26
    shits_-21 shittah_1 shitted_-17 shittier_-21 shittiest_-34 shittim_-6 shittimwood_-3 shitting_-18 shitty_-26
    shock_-16 shockable_-10 shocked_-13 shocker_-6 shockers_-11 shocking_-17 shockingly_-7 shockproof_13
    shocks_-16 shook_-4 shoot_-14 short-sighted_-12 short-sightedness_-11 shortage_-10 shortages_-6 shrew_-9
    shy_-10 shyer_-8 shying_-9 shylock_-21 shylocked_-7 shylocking_-15 shylocks_-14 shyly_-7 shyness_-13
    shynesses_-12 shyster_-16 shysters_-9 sick_-23 sicken_-19 sickened_-25 sickener_-22 sickeners_-22
    sickening_-24 sickeningly_-21 sickens_-20 sigh_1 significance_11 significant_8 silencing_-5 sillibub_-1
    sillier_10 sillies_8 silliest_8 sillily_-1 sillimanite_1 sillimanites_2 silliness_-9 sillinesses_-12 silly_1
    sin_-26 sincere_17 sincerely_21 sincereness_18 sincerer_20 sincerest_20 sincerities_15 sinful_-26
    singleminded_12 sinister_-29 sins_-20 skeptic_-9 skeptical_-13 skeptically_-12 skepticism_-10 skepticisms_-12
    skeptics_-4 slam_-16 slash_-11 slashed_-9 slashes_-8 slashing_-11 slavery_-38 sleeplessness_-16 slicker_4
    slickest_3 sluggish_-17 slut_-28 sluts_-27 sluttier_-27 sluttiest_-31 sluttish_-22 sluttishly_-21
    sluttishness_-25 sluttishnesses_-20 slutty_-23 smart_17 smartass_-21 smartasses_-17 smarted_7 smarten_19
    smartened_15 smartening_17 smartens_15 smarter_20 smartest_30 smartie_13 smarties_17 smarting_-7 smartly_15
    smartness_20 smartnesses_15 smarts_16 smartweed_2 smartweeds_1 smarty_11 smear_-15 smilax_6 smilaxes_3
    smile_15 smiled_25 smileless_-14 smiler_17 smiles_21 smiley_17 smileys_15 smiling_20 smilingly_23 smog_-12
    smother_-18 smothered_-9 smothering_-14 smothers_-19 smothery_-11 smug_8 smugger_-10 smuggest_-15 smuggle_-16
    smuggled_-15 smuggler_-21 smugglers_-14 smuggles_-17 smuggling_-21 smugly_2 smugness_-14 smugnesses_-17
    sneaky_-9 snob_-20 snobbery_-20 snobbier_-7 snobbiest_-5 snobbily_-16 snobbish_-9 snobbishly_-12
    snobbishness_-11 snobbishnesses_-17 snobbism_-10 snobbisms_-3 snobby_-17 snobs_-14 snub_-18 snubbed_-20
    snubbing_-9 snubs_-21 sobbed_-19 sobbing_-16 sobering_-8 sobs_-25 sociabilities_12 sociability_11 sociable_19
    sociableness_15 sociably_16 sok_13 solemn_-3 solemnified_-5 solemnifies_-5 solemnify_3 solemnifying_1
    solemnities_3 solemnity_-11 solemnization_7 solemnize_3 solemnized_-7 solemnizes_6 solemnizing_-6 solemnly_8
    solid_6 solidarity_12 solution_13 solutions_7 solve_8 solved_11 solves_11 solving_14 somber_-18
    son-of-a-bitch_-27 soothe_15 soothed_5 soothing_13 sophisticated_26 sore_-15 sorrow_-24 sorrowed_-24
    sorrower_-23 sorrowful_-22 sorrowfully_-23 sorrowfulness_-25 sorrowing_-17 sorrows_-16 sorry_-3 soulmate_29
    spam_-15 spammer_-22 spammers_-16 spamming_-21 spark_9 sparkle_18 sparkles_13 sparkling_12 special_17
    speculative_4 spirit_7 spirited_13 spiritless_-13 spite_-24 spited_-24 spiteful_-19 spitefully_-23
    spitefulness_-15 spitefulnesses_-23 spites_-14 splendent_27 splendid_28 splendidly_21 splendidness_23
    splendiferous_26 splendiferously_19 splendiferousness_17 splendor_30 splendorous_22 splendors_20 splendour_22
    splendours_22 splendrous_22 sprightly_20 squelched_-10 stab_-28 stabbed_-19 stable_12 stabs_-19 stall_-8
    stalled_-8 stalling_-8 stamina_12 stammer_-9 stammered_-9 stammerer_-11 stammerers_-8 stammering_-10
    stammers_-8 stampede_-18 stank_-19 startle_-13 startled_-7 startlement_-5 startlements_2 startler_-8
    startlers_-5 startles_-5 startling_3 startlingly_-3 starve_-19 starved_-26 starves_-23 starving_-18
    steadfast_10 steal_-22 stealable_-17 stealer_-17 stealers_-22 stealing_-27 stealings_-19 steals_-23 stealth_-3
    stealthier_-3 stealthiest_4 stealthily_1 stealthiness_2 stealths_-3 stealthy_-1 stench_-23 stenches_-15
    stenchful_-24 stenchy_-23 stereotype_-13 stereotyped_-12 stifled_-14 stimulate_9 stimulated_9 stimulates_10
    stimulating_19 stingy_-16 stink_-17 stinkard_-23 stinkards_-10 stinkbug_-2 stinkbugs_-10 stinker_-15
    stinkers_-12 stinkhorn_-2 stinkhorns_-8 stinkier_-15 stinkiest_-21 stinking_-24 stinkingly_-13 stinko_-15
    stinkpot_-25 stinkpots_-7 stinks_-10 stinkweed_-4 stinkwood_-1 stinky_-15 stolen_-22 stop_-12 stopped_-9
    stopping_-6 stops_-6 stout_7 straight_9 strain_-2 strained_-17 strainer_-8 strainers_-3 straining_-13
    strains_-12 strange_-8 strangely_-12 strangled_-25 strength_22 strengthen_13 strengthened_18 strengthener_18
    strengtheners_14 strengthening_22 strengthens_20 strengths_17 stress_-18 stressed_-14 stresses_-20
    stressful_-23 stressfully_-26 stressing_-15 stressless_16 stresslessness_16 stressor_-18 stressors_-21
    stricken_-23 strike_-5 strikers_-6 strikes_-15 strong_23 strongbox_7 strongboxes_3 stronger_16 strongest_19
    stronghold_5 strongholds_10 strongish_17 strongly_11 strongman_7 strongmen_5 strongyl_6 strongyles_2
    strongyloidosis_-8 strongyls_1 struck_-10 struggle_-13 struggled_-14 struggler_-11 strugglers_-14
    struggles_-15 struggling_-18 stubborn_-17 stubborner_-15 stubbornest_-6 stubbornly_-14 stubbornness_-11
    stubbornnesses_-15 stuck_-10 stunk_-16 stunned_-4 stunning_16 stuns_1 stupid_-24 stupider_-25 stupidest_-24
    stupidities_-20 stupidity_-19 stupidly_-20 stupidness_-17 stupidnesses_-26 stupids_-23 stutter_-10
    stuttered_-9 stutterer_-10 stutterers_-11 stuttering_-13 stutters_-10 suave_20 submissive_-13 submissively_-10
    submissiveness_-7 substantial_8 subversive_-9 succeed_22 succeeded_18 succeeder_12 succeeders_13 succeeding_22
    succeeds_22 success_27 successes_26 successful_28 successfully_22 successfulness_27 succession_8
    successional_9 successionally_11 successions_1 successive_11 successively_9 successiveness_10 successor_9
    successors_11 suck_-19 sucked_-20 sucker_-24 suckered_-20 suckering_-21 suckers_-23 sucks_-15 sucky_-19
    suffer_-25 suffered_-22 sufferer_-20 sufferers_-24 suffering_-21 suffers_-21 suicidal_-35 suicide_-35
    suing_-11 sulking_-15 sulky_-8 sullen_-17 sunnier_23 sunniest_24 sunny_18 sunshine_22 sunshiny_19 super_29
    superb_31 superior_25 superiorities_8 superiority_14 superiorly_22 superiors_10 support_17 supported_13
    supporter_11 supporters_19 supporting_19 supportive_12 supportiveness_15 supports_15 supremacies_8
    supremacist_5 supremacists_-10 supremacy_2 suprematists_4 supreme_26 supremely_27 supremeness_23 supremer_23
    supremest_22 supremo_19 supremos_13 sure_13 surefire_10 surefooted_19 surefootedly_16 surefootedness_15
    surely_19 sureness_20 surer_12 surest_13 sureties_13 surety_10 suretyship_-1 suretyships_4 surprisal_15
    surprisals_7 surprise_11 surprised_9 surpriser_6 surprisers_3 surprises_9 surprising_11 surprisingly_12
    survived_23 surviving_12 survivor_15 suspect_-12 suspected_-9 suspecting_-7 suspects_-14 suspend_-13
    suspended_-21 suspicion_-16 suspicions_-15 suspicious_-15 suspiciously_-17 suspiciousness_-12 sux_-15 swear_-2
    swearing_-10 swears_2 sweet_20 sweet<3_30 sweetheart_33 sweethearts_28 sweetie_22 sweeties_21 sweetly_21
    sweetness_22 sweets_22 swift_8 swiftly_12 swindle_-24 swindles_-15 swindling_-20 sympathetic_23 sympathy_15
    talent_18 talented_23 talentless_-16 talents_20 tantrum_-18 tantrums_-15 tard_-25 tears_-9 teas_3 tease_-13
    teased_-12 teasel_-1 teaseled_-8 teaseler_-8 teaselers_-12 teaseling_-4 teaselled_-4 teaselling_-2 teasels_-1
    teaser_-10 teasers_-7 teases_-12 teashops_2 teasing_-3 teasingly_-4 teaspoon_2 teaspoonful_2 teaspoonfuls_4
    teaspoons_5 teaspoonsful_3 temper_-18 tempers_-13 tendered_5 tenderer_6 tenderers_12 tenderest_14
    tenderfeet_-4 tenderfoot_-1 tenderfoots_-5 tenderhearted_15 tenderheartedly_27 tenderheartedness_7
    tenderheartednesses_28 tendering_6 tenderization_2 tenderize_1 tenderized_1 tenderizer_4 tenderizes_3
    tenderizing_3 tenderloin_-2 tenderloins_4 tenderly_18 tenderness_18 tendernesses_9 tenderometer_2
    tenderometers_2 tenders_6 tense_-14 tensed_-10 tensely_-12 tenseness_-15 tenser_-15 tenses_-9 tensest_-12
    tensing_-10 tension_-13 tensional_-8 tensioned_-4 tensioner_-16 tensioners_-9 tensioning_-14 tensionless_6
    tensions_-17 terrible_-21 terribleness_-19 terriblenesses_-26 terribly_-26 terrific_21 terrifically_17
    terrified_-30 terrifies_-26 terrify_-23 terrifying_-27 terror_-24 terrorise_-31 terrorised_-33 terrorises_-33
    terrorising_-30 terrorism_-36 terrorisms_-32 terrorist_-37 terroristic_-33 terrorists_-31 terrorization_-27
    terrorize_-33 terrorized_-31 terrorizes_-31 terrorizing_-30 terrorless_9 terrors_-26 thank_15 thanked_19
    thankful_27 thankfuller_19 thankfullest_20 thankfully_18 thankfulness_21 thanks_19 thief_-24 thieve_-22
    thieved_-14 thieveries_-21 thievery_-20 thieves_-23 thorny_-11 thoughtful_16 thoughtfully_17 thoughtfulness_19
    thoughtless_-20 threat_-24 threaten_-16 threatened_-20 threatener_-14 threateners_-18 threatening_-24
    threateningly_-22 threatens_-16 threating_-20 threats_-18 thrill_15 thrilled_19 thriller_4 thrillers_1
    thrilling_21 thrillingly_20 thrills_15 thwarted_-1 thwarting_-7 thwarts_-4 ticked_-18 timid_-10 timider_-10
    timidest_-9 timidities_-7 timidity_-13 timidly_-7 timidness_-10 timorous_-8 tired_-19 tits_-9 tolerance_12
    tolerances_3 tolerant_11 tolerantly_4 toothless_-14 top_8 tops_23 torn_-10 torture_-29 tortured_-26
    torturer_-23 torturers_-35 tortures_-25 torturing_-30 torturous_-27 torturously_-22 totalitarian_-21
    totalitarianism_-27 tough_-5 toughed_7 toughen_1 toughened_1 toughening_9 toughens_-2 tougher_7 toughest_-3
    toughie_-7 toughies_-6 toughing_-5 toughish_-10 toughly_-11 toughness_-2 toughnesses_3 toughs_-8 toughy_-5
    tout_-5 touted_-2 touting_-7 touts_-1 tragedian_-5 tragedians_-10 tragedienne_-4 tragediennes_-14
    tragedies_-19 tragedy_-34 tragic_-20 tragical_-24 tragically_-27 tragicomedy_2 tragicomic_-2 tragics_-22
    tranquil_2 tranquiler_19 tranquilest_16 tranquilities_15 tranquility_18 tranquilize_3 tranquilized_-2
    tranquilizer_-1 tranquilizers_-4 tranquilizes_-1 tranquilizing_-5 tranquillest_8 tranquillities_5
    tranquillity_18 tranquillized_-2 tranquillizer_-1 tranquillizers_-2 tranquillizes_1 tranquillizing_8
    tranquilly_12 tranquilness_15 trap_-13 trapped_-24 trauma_-18 traumas_-22 traumata_-17 traumatic_-27
    traumatically_-28 traumatise_-28 traumatised_-24 traumatises_-22 traumatising_-19 traumatism_-24
    traumatization_-30 traumatizations_-22 traumatize_-24 traumatized_-17 traumatizes_-14 traumatizing_-23
    travesty_-27 treason_-19 treasonous_-27 treasurable_25 treasure_12 treasured_26 treasurer_5 treasurers_4
    treasurership_4 treasurerships_12 treasures_18 treasuries_9 treasuring_21 treasury_8 treat_17 tremble_-11
    trembled_-11 trembler_-6 tremblers_-10 trembles_-1 trembling_-15 trembly_-12 tremulous_-10 trick_-2 tricked_-6
    tricker_-9 trickeries_-12 trickers_-14 trickery_-11 trickie_-4 trickier_-7 trickiest_-12 trickily_-8
    trickiness_-12 trickinesses_-4 tricking_1 trickish_-10 trickishly_-7 trickishness_-4 trickled_1 trickledown_-7
    trickles_2 trickling_-2 trickly_-3 tricks_-5 tricksier_-5 tricksiness_-10 trickster_-9 tricksters_-13
    tricksy_-8 tricky_-6 trite_-8 triumph_21 triumphal_20 triumphalisms_19 triumphalist_5 triumphalists_9
    triumphant_24 triumphantly_23 triumphed_22 triumphing_23 triumphs_20 trivial_-1 trivialise_-8 trivialised_-8
    trivialises_-11 trivialising_-14 trivialities_-10 triviality_-5 trivialization_-9 trivializations_-7
    trivialize_-11 trivialized_-6 trivializes_-10 trivializing_-6 trivially_4 trivium_-3 trouble_-17 troubled_-20
    troublemaker_-20 troublemakers_-22 troublemaking_-18 troubler_-14 troublers_-19 troubles_-20 troubleshoot_8
    troubleshooter_10 troubleshooters_8 troubleshooting_7 troubleshoots_5 troublesome_-23 troublesomely_-18
    troublesomeness_-19 troubling_-25 troublous_-21 troublously_-21 trueness_21 truer_15 truest_19 truly_19
    trust_23 trustability_21 trustable_23 trustbuster_-5 trusted_21 trustee_10 trustees_3 trusteeship_5
    trusteeships_6 truster_19 trustful_21 trustfully_15 trustfulness_21 trustier_13 trusties_10 trustiest_22
    trustily_16 trustiness_16 trusting_17 trustingly_16 trustingness_16 trustless_-23 trustor_4 trustors_12
    trusts_21 trustworthily_23 trustworthiness_18 trustworthy_26 trusty_22 truth_13 truthful_20 truthfully_19
    truthfulness_17 truths_18 tumor_-16 turmoil_-15 twat_-34 ugh_-18 uglier_-22 uglies_-20 ugliest_-28
    uglification_-22 uglified_-15 uglifies_-18 uglify_-21 uglifying_-22 uglily_-21 ugliness_-27 uglinesses_-25
    ugly_-23 unacceptable_-20 unappreciated_-17 unapproved_-14 unattractive_-19 unaware_-8 unbelievable_8
    unbelieving_-8 unbiased_-1 uncertain_-12 uncertainly_-14 uncertainness_-13 uncertainties_-14 uncertainty_-14
    unclear_-10 uncomfortable_-16 uncomfortably_-17 uncompelling_-9 unconcerned_-9 unconfirmed_-5
    uncontrollability_-17 uncontrollable_-15 uncontrollably_-15 uncontrolled_-10 unconvinced_-16 uncredited_-10
    undecided_-9 underestimate_-12 underestimated_-11 underestimates_-11 undermine_-12 undermined_-15
    undermines_-14 undermining_-15 undeserving_-19 undesirable_-19 unease_-17 uneasier_-14 uneasiest_-21
    uneasily_-14 uneasiness_-16 uneasinesses_-18 uneasy_-16 unemployment_-19 unequal_-14 unequaled_5 unethical_-23
    unfair_-21 unfocused_-17 unfortunate_-20 unfortunately_-14 unfortunates_-19 unfriendly_-15 unfulfilled_-18
    ungrateful_-20 ungratefully_-18 ungratefulness_-16 unhappier_-24 unhappiest_-25 unhappily_-19 unhappiness_-24
    unhappinesses_-22 unhappy_-18 unhealthy_-24 unified_16 unimportant_-13 unimpressed_-14 unimpressive_-14
    unintelligent_-20 uninvolved_-22 uninvolving_-20 united_18 unjust_-23 unkind_-16 unlovable_-27 unloved_-19
    unlovelier_-19 unloveliest_-19 unloveliness_-20 unlovely_-21 unloving_-23 unmatched_-3 unmotivated_-14
    unpleasant_-21 unprofessional_-23 unprotected_-15 unresearched_-11 unsatisfied_-17 unsavory_-19 unsecured_-16
    unsettled_-13 unsophisticated_-12 unstable_-15 unstoppable_-8 unsuccessful_-15 unsuccessfully_-17
    unsupported_-17 unsure_-10 unsurely_-13 untarnished_16 unwanted_-9 unwelcome_-17 unworthy_-20 upset_-16
    upsets_-15 upsetter_-19 upsetters_-20 upsetting_-21 uptight_-16 uptightness_-12 urgent_8 useful_19 usefully_18
    usefulness_12 useless_-18 uselessly_-15 uselessness_-16 v.v_-29 vague_-4 vain_-18 validate_15 validated_9
    validates_14 validating_14 valuable_21 valuableness_17 valuables_21 valuably_23 value_14 valued_19 values_17
    valuing_14 vanity_-9 verdict_6 verdicts_3 vested_6 vexation_-19 vexing_-20 vibrant_24 vicious_-15
    viciously_-13 viciousness_-24 viciousnesses_-6 victim_-11 victimhood_-20 victimhoods_-9 victimise_-11
    victimised_-15 victimises_-12 victimising_-25 victimization_-23 victimizations_-15 victimize_-25
    victimized_-18 victimizer_-18 victimizers_-16 victimizes_-15 victimizing_-26 victimless_6 victimologies_-6
    victimologist_-5 victimologists_-4 victimology_3 victims_-13 vigilant_7 vigor_11 vigorish_-4 vigorishes_4
    vigoroso_15 vigorously_5 vigorousness_4 vigors_10 vigour_9 vigours_4 vile_-31 villain_-26 villainess_-29
    villainesses_-20 villainies_-23 villainous_-20 villainously_-29 villainousness_-27 villains_-34 villainy_-26
    vindicate_3 vindicated_18 vindicates_16 vindicating_-11 violate_-22 violated_-24 violater_-26 violaters_-24
    violates_-23 violating_-25 violation_-22 violations_-24 violative_-24 violator_-24 violators_-19 violence_-31
    violent_-29 violently_-28 virtue_18 virtueless_-14 virtues_15 virtuosa_17 virtuosas_18 virtuose_10 virtuosi_9
    virtuosic_22 virtuosity_21 virtuoso_20 virtuosos_18 virtuous_24 virtuously_18 virtuousness_20 virulent_-27
    vision_10 visionary_24 visioning_11 visions_9 vital_12 vitalise_11 vitalised_6 vitalises_11 vitalising_21
    vitalism_2 vitalist_3 vitalists_3 vitalities_12 vitality_13 vitalization_16 vitalizations_8 vitalize_16
    vitalized_15 vitalizes_14 vitalizing_13 vitally_11 vitals_11 vitamin_12 vitriolic_-21 vivacious_18
    vociferous_-8 vulnerabilities_-6 vulnerability_-9 vulnerable_-9 vulnerableness_-11 vulnerably_-12 vulture_-20
    vultures_-13 w00t_22 walkout_-13 walkouts_-7 wanker_-25 want_3 war_-29 warfare_-12 warfares_-18 warm_9
    warmblooded_2 warmed_11 warmer_12 warmers_10 warmest_17 warmhearted_18 warmheartedness_27 warming_6 warmish_14
    warmly_17 warmness_15 warmonger_-29 warmongering_-25 warmongers_-28 warmouth_4 warmouths_-8 warms_11 warmth_20
    warmup_4 warmups_8 warn_-4 warned_-11 warning_-14 warnings_-12 warns_-4 warred_-24 warring_-19 wars_-26
    warsaw_-1 warsaws_-2 warship_-7 warships_-5 warstle_1 waste_-18 wasted_-22 wasting_-17 wavering_-6 weak_-19
    weaken_-18 weakened_-13 weakener_-16 weakeners_-13 weakening_-13 weakens_-13 weaker_-19 weakest_-23
    weakfish_-2 weakfishes_-6 weakhearted_-16 weakish_-12 weaklier_-15 weakliest_-21 weakling_-13 weaklings_-14
    weakly_-18 weakness_-18 weaknesses_-15 weakside_-11 wealth_22 wealthier_22 wealthiest_22 wealthily_20
    wealthiness_24 wealthy_15 weapon_-12 weaponed_-14 weaponless_1 weaponry_-9 weapons_-19 weary_-11 weep_-27
    weeper_-19 weepers_-11 weepie_-4 weepier_-18 weepies_-16 weepiest_-24 weeping_-19 weepings_-19 weeps_-14
    weepy_-13 weird_-7 weirder_-5 weirdest_-9 weirdie_-13 weirdies_-10 weirdly_-12 weirdness_-9 weirdnesses_-7
    weirdo_-18 weirdoes_-13 weirdos_-11 weirds_-6 weirdy_-9 welcome_20 welcomed_14 welcomely_19 welcomeness_20
    welcomer_14 welcomers_19 welcomes_17 welcoming_19 well_11 welladay_3 wellaway_-8 wellborn_18 welldoer_25
    welldoers_16 welled_4 wellhead_1 wellheads_5 wellhole_-1 wellies_4 welling_16 wellness_19 wells_10 wellsite_5
    wellspring_15 wellsprings_14 welly_2 wept_-20 whimsical_3 whine_-15 whined_-9 whiner_-12 whiners_-6 whines_-18
    whiney_-13 whining_-9 whitewash_1 whore_-33 whored_-28 whoredom_-21 whoredoms_-24 whorehouse_-11
    whorehouses_-19 whoremaster_-19 whoremasters_-15 whoremonger_-26 whoremongers_-20 whores_-30 whoreson_-22
    whoresons_-25 wicked_-24 wickeder_-22 wickedest_-29 wickedly_-21 wickedness_-21 wickednesses_-22 widowed_-21
    willingness_11 wimp_-14 wimpier_-10 wimpiest_-9 wimpiness_-12 wimpish_-16 wimpishness_-2 wimple_-2 wimples_-3
    wimps_-10 wimpy_-9 win_28 winnable_18 winned_18 winner_28 winners_21 winning_24 winningly_23 winnings_25
    winnow_-3 winnower_-1 winnowers_-2 winnowing_-1 winnows_-2 wins_27 wisdom_24 wise_21 wiseacre_-12 wiseacres_-1
    wiseass_-18 wiseasses_-15 wisecrack_-1 wisecracked_-5 wisecracker_-1 wisecrackers_1 wisecracking_-6
    wisecracks_-3 wised_15 wiseguys_3 wiselier_9 wiseliest_16 wisely_18 wiseness_19 wisenheimer_-10
    wisenheimers_-14 wisents_4 wiser_12 wises_13 wisest_21 wisewomen_13 wish_17 wishes_6 wishing_9 witch_-15
    withdrawal_1 woe_-18 woebegone_-26 woebegoneness_-11 woeful_-19 woefully_-17 woefulness_-21 woes_-19
    woesome_-12 won_27 wonderful_27 wonderfully_29 wonderfulness_29 woo_21 woohoo_23 woot_18 worn_-12 worried_-12
    worriedly_-20 worrier_-18 worriers_-17 worries_-18 worriment_-15 worriments_-19 worrisome_-17 worrisomely_-20
    worrisomeness_-19 worrit_-21 worrits_-12 worry_-19 worrying_-14 worrywart_-18 worrywarts_-15 worse_-21
    worsen_-23 worsened_-19 worsening_-20 worsens_-21 worser_-20 worship_12 worshiped_24 worshiper_10 worshipers_9
    worshipful_7 worshipfully_11 worshipfulness_16 worshiping_10 worshipless_-6 worshipped_27 worshipper_6
    worshippers_8 worshipping_16 worships_14 worst_-31 worth_9 worthless_-19 worthwhile_14 worthy_19 wow_28
    wowed_26 wowing_25 wows_20 wowser_-11 wowsers_10 wrathful_-27 wreck_-19 wrong_-21 wronged_-19 yay_24 yeah_12
    yearning_5 yeees_17 yep_12 yes_17 youthful_13 yucky_-18 yummy_24 zealot_-19 zealots_-8 zealous_5 {:_18 |-0_-12
    |-:_-8 |-:>_-16 |-o_-12 |:_-5 |;-)_22 |=_-4 |^:_-11 |o:_-9 ||-:_-23 }:_-21 }:(_-20 }:)_4 }:-(_-21 }:-)_3
    """#

  /// Emoji of one scalar, in hexadecimal, with their description.
  static let emoji = #"""
    1f600_grinning_face 1f601_beaming_face_with_smiling_eyes 1f602_face_with_tears_of_joy
    1f923_rolling_on_the_floor_laughing 1f603_grinning_face_with_big_eyes 1f604_grinning_face_with_smiling_eyes
    1f605_grinning_face_with_sweat 1f606_grinning_squinting_face 1f609_winking_face
    1f60a_smiling_face_with_smiling_eyes 1f60b_face_savoring_food 1f60e_smiling_face_with_sunglasses
    1f60d_smiling_face_with_heart-eyes 1f618_face_blowing_a_kiss 1f970_smiling_face_with_3_hearts
    1f617_kissing_face 1f619_kissing_face_with_smiling_eyes 1f61a_kissing_face_with_closed_eyes 263a_smiling_face
    1f642_slightly_smiling_face 1f917_hugging_face 1f929_star-struck 1f914_thinking_face
    1f928_face_with_raised_eyebrow 1f610_neutral_face 1f611_expressionless_face 1f636_face_without_mouth
    1f644_face_with_rolling_eyes 1f60f_smirking_face 1f623_persevering_face 1f625_sad_but_relieved_face
    1f62e_face_with_open_mouth 1f910_zipper-mouth_face 1f62f_hushed_face 1f62a_sleepy_face 1f62b_tired_face
    1f634_sleeping_face 1f60c_relieved_face 1f61b_face_with_tongue 1f61c_winking_face_with_tongue
    1f61d_squinting_face_with_tongue 1f924_drooling_face 1f612_unamused_face 1f613_downcast_face_with_sweat
    1f614_pensive_face 1f615_confused_face 1f643_upside-down_face 1f911_money-mouth_face 1f632_astonished_face
    2639_frowning_face 1f641_slightly_frowning_face 1f616_confounded_face 1f61e_disappointed_face
    1f61f_worried_face 1f624_face_with_steam_from_nose 1f622_crying_face 1f62d_loudly_crying_face
    1f626_frowning_face_with_open_mouth 1f627_anguished_face 1f628_fearful_face 1f629_weary_face
    1f92f_exploding_head 1f62c_grimacing_face 1f630_anxious_face_with_sweat 1f631_face_screaming_in_fear
    1f975_hot_face 1f976_cold_face 1f633_flushed_face 1f92a_zany_face 1f635_dizzy_face 1f621_pouting_face
    1f620_angry_face 1f92c_face_with_symbols_on_mouth 1f637_face_with_medical_mask 1f912_face_with_thermometer
    1f915_face_with_head-bandage 1f922_nauseated_face 1f92e_face_vomiting 1f927_sneezing_face
    1f607_smiling_face_with_halo 1f920_cowboy_hat_face 1f973_partying_face 1f974_woozy_face 1f97a_pleading_face
    1f925_lying_face 1f92b_shushing_face 1f92d_face_with_hand_over_mouth 1f9d0_face_with_monocle 1f913_nerd_face
    1f608_smiling_face_with_horns 1f47f_angry_face_with_horns 1f921_clown_face 1f479_ogre 1f47a_goblin 1f480_skull
    2620_skull_and_crossbones 1f47b_ghost 1f47d_alien 1f47e_alien_monster 1f916_robot_face 1f4a9_pile_of_poo
    1f63a_grinning_cat_face 1f638_grinning_cat_face_with_smiling_eyes 1f639_cat_face_with_tears_of_joy
    1f63b_smiling_cat_face_with_heart-eyes 1f63c_cat_face_with_wry_smile 1f63d_kissing_cat_face
    1f640_weary_cat_face 1f63f_crying_cat_face 1f63e_pouting_cat_face 1f648_see-no-evil_monkey
    1f649_hear-no-evil_monkey 1f64a_speak-no-evil_monkey 1f3fb_light_skin_tone 1f3fc_medium-light_skin_tone
    1f3fd_medium_skin_tone 1f3fe_medium-dark_skin_tone 1f3ff_dark_skin_tone 1f476_baby 1f9d2_child 1f466_boy
    1f467_girl 1f9d1_adult 1f468_man 1f469_woman 1f9d3_older_adult 1f474_old_man 1f475_old_woman
    1f46e_police_officer 1f575_detective 1f482_guard 1f477_construction_worker 1f934_prince 1f478_princess
    1f473_person_wearing_turban 1f472_man_with_Chinese_cap 1f9d5_woman_with_headscarf 1f9d4_bearded_person
    1f471_blond-haired_person 1f935_man_in_tuxedo 1f470_bride_with_veil 1f930_pregnant_woman 1f931_breast-feeding
    1f47c_baby_angel 1f385_Santa_Claus 1f936_Mrs._Claus 1f9b8_superhero 1f9b9_supervillain 1f9d9_mage 1f9da_fairy
    1f9db_vampire 1f9dc_merperson 1f9dd_elf 1f9de_genie 1f9df_zombie 1f64d_person_frowning 1f64e_person_pouting
    1f645_person_gesturing_NO 1f646_person_gesturing_OK 1f481_person_tipping_hand 1f64b_person_raising_hand
    1f647_person_bowing 1f926_person_facepalming 1f937_person_shrugging 1f486_person_getting_massage
    1f487_person_getting_haircut 1f6b6_person_walking 1f3c3_person_running 1f483_woman_dancing 1f57a_man_dancing
    1f46f_people_with_bunny_ears 1f9d6_person_in_steamy_room 1f9d7_person_climbing 1f9d8_person_in_lotus_position
    1f6c0_person_taking_bath 1f6cc_person_in_bed 1f574_man_in_suit_levitating 1f5e3_speaking_head
    1f464_bust_in_silhouette 1f465_busts_in_silhouette 1f93a_person_fencing 1f3c7_horse_racing 26f7_skier
    1f3c2_snowboarder 1f3cc_person_golfing 1f3c4_person_surfing 1f6a3_person_rowing_boat 1f3ca_person_swimming
    26f9_person_bouncing_ball 1f3cb_person_lifting_weights 1f6b4_person_biking 1f6b5_person_mountain_biking
    1f3ce_racing_car 1f3cd_motorcycle 1f938_person_cartwheeling 1f93c_people_wrestling
    1f93d_person_playing_water_polo 1f93e_person_playing_handball 1f939_person_juggling
    1f46b_man_and_woman_holding_hands 1f46c_two_men_holding_hands 1f46d_two_women_holding_hands 1f48f_kiss
    1f491_couple_with_heart 1f46a_family 1f933_selfie 1f4aa_flexed_biceps 1f9b5_leg 1f9b6_foot
    1f448_backhand_index_pointing_left 1f449_backhand_index_pointing_right 261d_index_pointing_up
    1f446_backhand_index_pointing_up 1f595_middle_finger 1f447_backhand_index_pointing_down 270c_victory_hand
    1f91e_crossed_fingers 1f596_vulcan_salute 1f918_sign_of_the_horns 1f919_call_me_hand
    1f590_hand_with_fingers_splayed 270b_raised_hand 1f44c_OK_hand 1f44d_thumbs_up 1f44e_thumbs_down
    270a_raised_fist 1f44a_oncoming_fist 1f91b_left-facing_fist 1f91c_right-facing_fist 1f91a_raised_back_of_hand
    1f44b_waving_hand 1f91f_love-you_gesture 270d_writing_hand 1f44f_clapping_hands 1f450_open_hands
    1f64c_raising_hands 1f932_palms_up_together 1f64f_folded_hands 1f91d_handshake 1f485_nail_polish 1f442_ear
    1f443_nose 1f9b0_red-haired 1f9b1_curly-haired 1f9b2_bald 1f9b3_white-haired 1f463_footprints 1f440_eyes
    1f441_eye 1f9e0_brain 1f9b4_bone 1f9b7_tooth 1f445_tongue 1f444_mouth 1f48b_kiss_mark 1f498_heart_with_arrow
    2764_red_heart 1f493_beating_heart 1f494_broken_heart 1f495_two_hearts 1f496_sparkling_heart
    1f497_growing_heart 1f499_blue_heart 1f49a_green_heart 1f49b_yellow_heart 1f9e1_orange_heart
    1f49c_purple_heart 1f5a4_black_heart 1f49d_heart_with_ribbon 1f49e_revolving_hearts 1f49f_heart_decoration
    2763_heavy_heart_exclamation 1f48c_love_letter 1f4a4_zzz 1f4a2_anger_symbol 1f4a3_bomb 1f4a5_collision
    1f4a6_sweat_droplets 1f4a8_dashing_away 1f4ab_dizzy 1f4ac_speech_balloon 1f5e8_left_speech_bubble
    1f5ef_right_anger_bubble 1f4ad_thought_balloon 1f573_hole 1f453_glasses 1f576_sunglasses 1f97d_goggles
    1f97c_lab_coat 1f454_necktie 1f455_t-shirt 1f456_jeans 1f9e3_scarf 1f9e4_gloves 1f9e5_coat 1f9e6_socks
    1f457_dress 1f458_kimono 1f459_bikini 1f45a_woman’s_clothes 1f45b_purse 1f45c_handbag 1f45d_clutch_bag
    1f6cd_shopping_bags 1f392_school_backpack 1f45e_man’s_shoe 1f45f_running_shoe 1f97e_hiking_boot
    1f97f_woman’s_flat_shoe 1f460_high-heeled_shoe 1f461_woman’s_sandal 1f462_woman’s_boot 1f451_crown
    1f452_woman’s_hat 1f3a9_top_hat 1f393_graduation_cap 1f9e2_billed_cap 26d1_rescue_worker’s_helmet
    1f4ff_prayer_beads 1f484_lipstick 1f48d_ring 1f48e_gem_stone 1f435_monkey_face 1f412_monkey 1f98d_gorilla
    1f436_dog_face 1f415_dog 1f429_poodle 1f43a_wolf_face 1f98a_fox_face 1f99d_raccoon 1f431_cat_face 1f408_cat
    1f981_lion_face 1f42f_tiger_face 1f405_tiger 1f406_leopard 1f434_horse_face 1f40e_horse 1f984_unicorn_face
    1f993_zebra 1f98c_deer 1f42e_cow_face 1f402_ox 1f403_water_buffalo 1f404_cow 1f437_pig_face 1f416_pig
    1f417_boar 1f43d_pig_nose 1f40f_ram 1f411_ewe 1f410_goat 1f42a_camel 1f42b_two-hump_camel 1f999_llama
    1f992_giraffe 1f418_elephant 1f98f_rhinoceros 1f99b_hippopotamus 1f42d_mouse_face 1f401_mouse 1f400_rat
    1f439_hamster_face 1f430_rabbit_face 1f407_rabbit 1f43f_chipmunk 1f994_hedgehog 1f987_bat 1f43b_bear_face
    1f428_koala 1f43c_panda_face 1f998_kangaroo 1f9a1_badger 1f43e_paw_prints 1f983_turkey 1f414_chicken
    1f413_rooster 1f423_hatching_chick 1f424_baby_chick 1f425_front-facing_baby_chick 1f426_bird 1f427_penguin
    1f54a_dove 1f985_eagle 1f986_duck 1f9a2_swan 1f989_owl 1f99a_peacock 1f99c_parrot 1f438_frog_face
    1f40a_crocodile 1f422_turtle 1f98e_lizard 1f40d_snake 1f432_dragon_face 1f409_dragon 1f995_sauropod
    1f996_T-Rex 1f433_spouting_whale 1f40b_whale 1f42c_dolphin 1f41f_fish 1f420_tropical_fish 1f421_blowfish
    1f988_shark 1f419_octopus 1f41a_spiral_shell 1f980_crab 1f99e_lobster 1f990_shrimp 1f991_squid 1f40c_snail
    1f98b_butterfly 1f41b_bug 1f41c_ant 1f41d_honeybee 1f41e_lady_beetle 1f997_cricket 1f577_spider
    1f578_spider_web 1f982_scorpion 1f99f_mosquito 1f9a0_microbe 1f490_bouquet 1f338_cherry_blossom
    1f4ae_white_flower 1f3f5_rosette 1f339_rose 1f940_wilted_flower 1f33a_hibiscus 1f33b_sunflower 1f33c_blossom
    1f337_tulip 1f331_seedling 1f332_evergreen_tree 1f333_deciduous_tree 1f334_palm_tree 1f335_cactus
    1f33e_sheaf_of_rice 1f33f_herb 2618_shamrock 1f340_four_leaf_clover 1f341_maple_leaf 1f342_fallen_leaf
    1f343_leaf_fluttering_in_wind 1f347_grapes 1f348_melon 1f349_watermelon 1f34a_tangerine 1f34b_lemon
    1f34c_banana 1f34d_pineapple 1f96d_mango 1f34e_red_apple 1f34f_green_apple 1f350_pear 1f351_peach
    1f352_cherries 1f353_strawberry 1f95d_kiwi_fruit 1f345_tomato 1f965_coconut 1f951_avocado 1f346_eggplant
    1f954_potato 1f955_carrot 1f33d_ear_of_corn 1f336_hot_pepper 1f952_cucumber 1f96c_leafy_green 1f966_broccoli
    1f344_mushroom 1f95c_peanuts 1f330_chestnut 1f35e_bread 1f950_croissant 1f956_baguette_bread 1f968_pretzel
    1f96f_bagel 1f95e_pancakes 1f9c0_cheese_wedge 1f356_meat_on_bone 1f357_poultry_leg 1f969_cut_of_meat
    1f953_bacon 1f354_hamburger 1f35f_french_fries 1f355_pizza 1f32d_hot_dog 1f96a_sandwich 1f32e_taco
    1f32f_burrito 1f959_stuffed_flatbread 1f95a_egg 1f373_cooking 1f958_shallow_pan_of_food 1f372_pot_of_food
    1f963_bowl_with_spoon 1f957_green_salad 1f37f_popcorn 1f9c2_salt 1f96b_canned_food 1f371_bento_box
    1f358_rice_cracker 1f359_rice_ball 1f35a_cooked_rice 1f35b_curry_rice 1f35c_steaming_bowl 1f35d_spaghetti
    1f360_roasted_sweet_potato 1f362_oden 1f363_sushi 1f364_fried_shrimp 1f365_fish_cake_with_swirl
    1f96e_moon_cake 1f361_dango 1f95f_dumpling 1f960_fortune_cookie 1f961_takeout_box 1f366_soft_ice_cream
    1f367_shaved_ice 1f368_ice_cream 1f369_doughnut 1f36a_cookie 1f382_birthday_cake 1f370_shortcake 1f9c1_cupcake
    1f967_pie 1f36b_chocolate_bar 1f36c_candy 1f36d_lollipop 1f36e_custard 1f36f_honey_pot 1f37c_baby_bottle
    1f95b_glass_of_milk 2615_hot_beverage 1f375_teacup_without_handle 1f376_sake 1f37e_bottle_with_popping_cork
    1f377_wine_glass 1f378_cocktail_glass 1f379_tropical_drink 1f37a_beer_mug 1f37b_clinking_beer_mugs
    1f942_clinking_glasses 1f943_tumbler_glass 1f964_cup_with_straw 1f962_chopsticks
    1f37d_fork_and_knife_with_plate 1f374_fork_and_knife 1f944_spoon 1f52a_kitchen_knife 1f3fa_amphora
    1f30d_globe_showing_Europe-Africa 1f30e_globe_showing_Americas 1f30f_globe_showing_Asia-Australia
    1f310_globe_with_meridians 1f5fa_world_map 1f5fe_map_of_Japan 1f9ed_compass 1f3d4_snow-capped_mountain
    26f0_mountain 1f30b_volcano 1f5fb_mount_fuji 1f3d5_camping 1f3d6_beach_with_umbrella 1f3dc_desert
    1f3dd_desert_island 1f3de_national_park 1f3df_stadium 1f3db_classical_building 1f3d7_building_construction
    1f9f1_bricks 1f3d8_houses 1f3da_derelict_house 1f3e0_house 1f3e1_house_with_garden 1f3e2_office_building
    1f3e3_Japanese_post_office 1f3e4_post_office 1f3e5_hospital 1f3e6_bank 1f3e8_hotel 1f3e9_love_hotel
    1f3ea_convenience_store 1f3eb_school 1f3ec_department_store 1f3ed_factory 1f3ef_Japanese_castle 1f3f0_castle
    1f492_wedding 1f5fc_Tokyo_tower 1f5fd_Statue_of_Liberty 26ea_church 1f54c_mosque 1f54d_synagogue
    26e9_shinto_shrine 1f54b_kaaba 26f2_fountain 26fa_tent 1f301_foggy 1f303_night_with_stars 1f3d9_cityscape
    1f304_sunrise_over_mountains 1f305_sunrise 1f306_cityscape_at_dusk 1f307_sunset 1f309_bridge_at_night
    2668_hot_springs 1f30c_milky_way 1f3a0_carousel_horse 1f3a1_ferris_wheel 1f3a2_roller_coaster
    1f488_barber_pole 1f3aa_circus_tent 1f682_locomotive 1f683_railway_car 1f684_high-speed_train
    1f685_bullet_train 1f686_train 1f687_metro 1f688_light_rail 1f689_station 1f68a_tram 1f69d_monorail
    1f69e_mountain_railway 1f68b_tram_car 1f68c_bus 1f68d_oncoming_bus 1f68e_trolleybus 1f690_minibus
    1f691_ambulance 1f692_fire_engine 1f693_police_car 1f694_oncoming_police_car 1f695_taxi 1f696_oncoming_taxi
    1f697_automobile 1f698_oncoming_automobile 1f699_sport_utility_vehicle 1f69a_delivery_truck
    1f69b_articulated_lorry 1f69c_tractor 1f6b2_bicycle 1f6f4_kick_scooter 1f6f9_skateboard 1f6f5_motor_scooter
    1f68f_bus_stop 1f6e3_motorway 1f6e4_railway_track 1f6e2_oil_drum 26fd_fuel_pump 1f6a8_police_car_light
    1f6a5_horizontal_traffic_light 1f6a6_vertical_traffic_light 1f6d1_stop_sign 1f6a7_construction 2693_anchor
    26f5_sailboat 1f6f6_canoe 1f6a4_speedboat 1f6f3_passenger_ship 26f4_ferry 1f6e5_motor_boat 1f6a2_ship
    2708_airplane 1f6e9_small_airplane 1f6eb_airplane_departure 1f6ec_airplane_arrival 1f4ba_seat 1f681_helicopter
    1f69f_suspension_railway 1f6a0_mountain_cableway 1f6a1_aerial_tramway 1f6f0_satellite 1f680_rocket
    1f6f8_flying_saucer 1f6ce_bellhop_bell 1f9f3_luggage 231b_hourglass_done 23f3_hourglass_not_done 231a_watch
    23f0_alarm_clock 23f1_stopwatch 23f2_timer_clock 1f570_mantelpiece_clock 1f55b_twelve_o’clock
    1f567_twelve-thirty 1f550_one_o’clock 1f55c_one-thirty 1f551_two_o’clock 1f55d_two-thirty 1f552_three_o’clock
    1f55e_three-thirty 1f553_four_o’clock 1f55f_four-thirty 1f554_five_o’clock 1f560_five-thirty 1f555_six_o’clock
    1f561_six-thirty 1f556_seven_o’clock 1f562_seven-thirty 1f557_eight_o’clock 1f563_eight-thirty
    1f558_nine_o’clock 1f564_nine-thirty 1f559_ten_o’clock 1f565_ten-thirty 1f55a_eleven_o’clock
    1f566_eleven-thirty 1f311_new_moon 1f312_waxing_crescent_moon 1f313_first_quarter_moon
    1f314_waxing_gibbous_moon 1f315_full_moon 1f316_waning_gibbous_moon 1f317_last_quarter_moon
    1f318_waning_crescent_moon 1f319_crescent_moon 1f31a_new_moon_face 1f31b_first_quarter_moon_face
    1f31c_last_quarter_moon_face 1f321_thermometer 2600_sun 1f31d_full_moon_face 1f31e_sun_with_face 2b50_star
    1f31f_glowing_star 1f320_shooting_star 2601_cloud 26c5_sun_behind_cloud 26c8_cloud_with_lightning_and_rain
    1f324_sun_behind_small_cloud 1f325_sun_behind_large_cloud 1f326_sun_behind_rain_cloud 1f327_cloud_with_rain
    1f328_cloud_with_snow 1f329_cloud_with_lightning 1f32a_tornado 1f32b_fog 1f32c_wind_face 1f300_cyclone
    1f308_rainbow 1f302_closed_umbrella 2602_umbrella 2614_umbrella_with_rain_drops 26f1_umbrella_on_ground
    26a1_high_voltage 2744_snowflake 2603_snowman 26c4_snowman_without_snow 2604_comet 1f525_fire 1f4a7_droplet
    1f30a_water_wave 1f383_jack-o-lantern 1f384_Christmas_tree 1f386_fireworks 1f387_sparkler 1f9e8_firecracker
    2728_sparkles 1f388_balloon 1f389_party_popper 1f38a_confetti_ball 1f38b_tanabata_tree 1f38d_pine_decoration
    1f38e_Japanese_dolls 1f38f_carp_streamer 1f390_wind_chime 1f391_moon_viewing_ceremony 1f9e7_red_envelope
    1f380_ribbon 1f381_wrapped_gift 1f397_reminder_ribbon 1f39f_admission_tickets 1f3ab_ticket
    1f396_military_medal 1f3c6_trophy 1f3c5_sports_medal 1f947_1st_place_medal 1f948_2nd_place_medal
    1f949_3rd_place_medal 26bd_soccer_ball 26be_baseball 1f94e_softball 1f3c0_basketball 1f3d0_volleyball
    1f3c8_american_football 1f3c9_rugby_football 1f3be_tennis 1f94f_flying_disc 1f3b3_bowling 1f3cf_cricket_game
    1f3d1_field_hockey 1f3d2_ice_hockey 1f94d_lacrosse 1f3d3_ping_pong 1f3f8_badminton 1f94a_boxing_glove
    1f94b_martial_arts_uniform 1f945_goal_net 26f3_flag_in_hole 26f8_ice_skate 1f3a3_fishing_pole
    1f3bd_running_shirt 1f3bf_skis 1f6f7_sled 1f94c_curling_stone 1f3af_direct_hit 1f3b1_pool_8_ball
    1f52e_crystal_ball 1f9ff_nazar_amulet 1f3ae_video_game 1f579_joystick 1f3b0_slot_machine 1f3b2_game_die
    1f9e9_jigsaw 1f9f8_teddy_bear 2660_spade_suit 2665_heart_suit 2666_diamond_suit 2663_club_suit 265f_chess_pawn
    1f0cf_joker 1f004_mahjong_red_dragon 1f3b4_flower_playing_cards 1f3ad_performing_arts 1f5bc_framed_picture
    1f3a8_artist_palette 1f9f5_thread 1f9f6_yarn 1f507_muted_speaker 1f508_speaker_low_volume
    1f509_speaker_medium_volume 1f50a_speaker_high_volume 1f4e2_loudspeaker 1f4e3_megaphone 1f4ef_postal_horn
    1f514_bell 1f515_bell_with_slash 1f3bc_musical_score 1f3b5_musical_note 1f3b6_musical_notes
    1f399_studio_microphone 1f39a_level_slider 1f39b_control_knobs 1f3a4_microphone 1f3a7_headphone 1f4fb_radio
    1f3b7_saxophone 1f3b8_guitar 1f3b9_musical_keyboard 1f3ba_trumpet 1f3bb_violin 1f941_drum 1f4f1_mobile_phone
    1f4f2_mobile_phone_with_arrow 260e_telephone 1f4de_telephone_receiver 1f4df_pager 1f4e0_fax_machine
    1f50b_battery 1f50c_electric_plug 1f4bb_laptop_computer 1f5a5_desktop_computer 1f5a8_printer 2328_keyboard
    1f5b1_computer_mouse 1f5b2_trackball 1f4bd_computer_disk 1f4be_floppy_disk 1f4bf_optical_disk 1f4c0_dvd
    1f9ee_abacus 1f3a5_movie_camera 1f39e_film_frames 1f4fd_film_projector 1f3ac_clapper_board 1f4fa_television
    1f4f7_camera 1f4f8_camera_with_flash 1f4f9_video_camera 1f4fc_videocassette 1f50d_magnifying_glass_tilted_left
    1f50e_magnifying_glass_tilted_right 1f56f_candle 1f4a1_light_bulb 1f526_flashlight 1f3ee_red_paper_lantern
    1f4d4_notebook_with_decorative_cover 1f4d5_closed_book 1f4d6_open_book 1f4d7_green_book 1f4d8_blue_book
    1f4d9_orange_book 1f4da_books 1f4d3_notebook 1f4d2_ledger 1f4c3_page_with_curl 1f4dc_scroll
    1f4c4_page_facing_up 1f4f0_newspaper 1f5de_rolled-up_newspaper 1f4d1_bookmark_tabs 1f516_bookmark 1f3f7_label
    1f4b0_money_bag 1f4b4_yen_banknote 1f4b5_dollar_banknote 1f4b6_euro_banknote 1f4b7_pound_banknote
    1f4b8_money_with_wings 1f4b3_credit_card 1f9fe_receipt 1f4b9_chart_increasing_with_yen 1f4b1_currency_exchange
    1f4b2_heavy_dollar_sign 2709_envelope 1f4e7_e-mail 1f4e8_incoming_envelope 1f4e9_envelope_with_arrow
    1f4e4_outbox_tray 1f4e5_inbox_tray 1f4e6_package 1f4eb_closed_mailbox_with_raised_flag
    1f4ea_closed_mailbox_with_lowered_flag 1f4ec_open_mailbox_with_raised_flag
    1f4ed_open_mailbox_with_lowered_flag 1f4ee_postbox 1f5f3_ballot_box_with_ballot 270f_pencil 2712_black_nib
    1f58b_fountain_pen 1f58a_pen 1f58c_paintbrush 1f58d_crayon 1f4dd_memo 1f4bc_briefcase 1f4c1_file_folder
    1f4c2_open_file_folder 1f5c2_card_index_dividers 1f4c5_calendar 1f4c6_tear-off_calendar 1f5d2_spiral_notepad
    1f5d3_spiral_calendar 1f4c7_card_index 1f4c8_chart_increasing 1f4c9_chart_decreasing 1f4ca_bar_chart
    1f4cb_clipboard 1f4cc_pushpin 1f4cd_round_pushpin 1f4ce_paperclip 1f587_linked_paperclips 1f4cf_straight_ruler
    1f4d0_triangular_ruler 2702_scissors 1f5c3_card_file_box 1f5c4_file_cabinet 1f5d1_wastebasket 1f512_locked
    1f513_unlocked 1f50f_locked_with_pen 1f510_locked_with_key 1f511_key 1f5dd_old_key 1f528_hammer 26cf_pick
    2692_hammer_and_pick 1f6e0_hammer_and_wrench 1f5e1_dagger 2694_crossed_swords 1f52b_pistol 1f3f9_bow_and_arrow
    1f6e1_shield 1f527_wrench 1f529_nut_and_bolt 2699_gear 1f5dc_clamp 2696_balance_scale 1f517_link 26d3_chains
    1f9f0_toolbox 1f9f2_magnet 2697_alembic 1f9ea_test_tube 1f9eb_petri_dish 1f9ec_dna 1f52c_microscope
    1f52d_telescope 1f4e1_satellite_antenna 1f489_syringe 1f48a_pill 1f6aa_door 1f6cf_bed 1f6cb_couch_and_lamp
    1f6bd_toilet 1f6bf_shower 1f6c1_bathtub 1f9f4_lotion_bottle 1f9f7_safety_pin 1f9f9_broom 1f9fa_basket
    1f9fb_roll_of_paper 1f9fc_soap 1f9fd_sponge 1f9ef_fire_extinguisher 1f6d2_shopping_cart 1f6ac_cigarette
    26b0_coffin 26b1_funeral_urn 1f5ff_moai 1f3e7_ATM_sign 1f6ae_litter_in_bin_sign 1f6b0_potable_water
    267f_wheelchair_symbol 1f6b9_men’s_room 1f6ba_women’s_room 1f6bb_restroom 1f6bc_baby_symbol 1f6be_water_closet
    1f6c2_passport_control 1f6c3_customs 1f6c4_baggage_claim 1f6c5_left_luggage 26a0_warning
    1f6b8_children_crossing 26d4_no_entry 1f6ab_prohibited 1f6b3_no_bicycles 1f6ad_no_smoking 1f6af_no_littering
    1f6b1_non-potable_water 1f6b7_no_pedestrians 1f4f5_no_mobile_phones 1f51e_no_one_under_eighteen
    2622_radioactive 2623_biohazard 2b06_up_arrow 2197_up-right_arrow 27a1_right_arrow 2198_down-right_arrow
    2b07_down_arrow 2199_down-left_arrow 2b05_left_arrow 2196_up-left_arrow 2195_up-down_arrow
    2194_left-right_arrow 21a9_right_arrow_curving_left 21aa_left_arrow_curving_right 2934_right_arrow_curving_up
    2935_right_arrow_curving_down 1f503_clockwise_vertical_arrows 1f504_counterclockwise_arrows_button
    1f519_BACK_arrow 1f51a_END_arrow 1f51b_ON!_arrow 1f51c_SOON_arrow 1f51d_TOP_arrow 1f6d0_place_of_worship
    269b_atom_symbol 1f549_om 2721_star_of_David 2638_wheel_of_dharma 262f_yin_yang 271d_latin_cross
    2626_orthodox_cross 262a_star_and_crescent 262e_peace_symbol 1f54e_menorah 1f52f_dotted_six-pointed_star
    2648_Aries 2649_Taurus 264a_Gemini 264b_Cancer 264c_Leo 264d_Virgo 264e_Libra 264f_Scorpio 2650_Sagittarius
    2651_Capricorn 2652_Aquarius 2653_Pisces 26ce_Ophiuchus 1f500_shuffle_tracks_button 1f501_repeat_button
    1f502_repeat_single_button 25b6_play_button 23e9_fast-forward_button 23ed_next_track_button
    23ef_play_or_pause_button 25c0_reverse_button 23ea_fast_reverse_button 23ee_last_track_button
    1f53c_upwards_button 23eb_fast_up_button 1f53d_downwards_button 23ec_fast_down_button 23f8_pause_button
    23f9_stop_button 23fa_record_button 23cf_eject_button 1f3a6_cinema 1f505_dim_button 1f506_bright_button
    1f4f6_antenna_bars 1f4f3_vibration_mode 1f4f4_mobile_phone_off 2640_female_sign 2642_male_sign
    2695_medical_symbol 267e_infinity 267b_recycling_symbol 269c_fleur-de-lis 1f531_trident_emblem
    1f4db_name_badge 1f530_Japanese_symbol_for_beginner 2b55_heavy_large_circle 2705_white_heavy_check_mark
    2611_ballot_box_with_check 2714_heavy_check_mark 2716_heavy_multiplication_x 274c_cross_mark
    274e_cross_mark_button 2795_heavy_plus_sign 2796_heavy_minus_sign 2797_heavy_division_sign 27b0_curly_loop
    27bf_double_curly_loop 303d_part_alternation_mark 2733_eight-spoked_asterisk 2734_eight-pointed_star
    2747_sparkle 203c_double_exclamation_mark 2049_exclamation_question_mark 2753_question_mark
    2754_white_question_mark 2755_white_exclamation_mark 2757_exclamation_mark 3030_wavy_dash a9_copyright
    ae_registered 2122_trade_mark 1f51f_keycap:_10 1f4af_hundred_points 1f520_input_latin_uppercase
    1f521_input_latin_lowercase 1f522_input_numbers 1f523_input_symbols 1f524_input_latin_letters
    1f170_A_button_(blood_type) 1f18e_AB_button_(blood_type) 1f171_B_button_(blood_type) 1f191_CL_button
    1f192_COOL_button 1f193_FREE_button 2139_information 1f194_ID_button 24c2_circled_M 1f195_NEW_button
    1f196_NG_button 1f17e_O_button_(blood_type) 1f197_OK_button 1f17f_P_button 1f198_SOS_button 1f199_UP!_button
    1f19a_VS_button 1f201_Japanese_“here”_button 1f202_Japanese_“service_charge”_button
    1f237_Japanese_“monthly_amount”_button 1f236_Japanese_“not_free_of_charge”_button
    1f22f_Japanese_“reserved”_button 1f250_Japanese_“bargain”_button 1f239_Japanese_“discount”_button
    1f21a_Japanese_“free_of_charge”_button 1f232_Japanese_“prohibited”_button 1f251_Japanese_“acceptable”_button
    1f238_Japanese_“application”_button 1f234_Japanese_“passing_grade”_button 1f233_Japanese_“vacancy”_button
    3297_Japanese_“congratulations”_button 3299_Japanese_“secret”_button 1f23a_Japanese_“open_for_business”_button
    1f235_Japanese_“no_vacancy”_button 25aa_black_small_square 25ab_white_small_square 25fb_white_medium_square
    25fc_black_medium_square 25fd_white_medium-small_square 25fe_black_medium-small_square 2b1b_black_large_square
    2b1c_white_large_square 1f536_large_orange_diamond 1f537_large_blue_diamond 1f538_small_orange_diamond
    1f539_small_blue_diamond 1f53a_red_triangle_pointed_up 1f53b_red_triangle_pointed_down
    1f4a0_diamond_with_a_dot 1f518_radio_button 1f532_black_square_button 1f533_white_square_button
    26aa_white_circle 26ab_black_circle 1f534_red_circle 1f535_blue_circle 1f3c1_chequered_flag
    1f6a9_triangular_flag 1f38c_crossed_flags 1f3f4_black_flag 1f3f3_white_flag
    """#
}
