import { parseJson } from '../json';
import { ReadJudge } from './likely-read';
import { readToolDefinitions } from './tool-definition';

const NOTHING = { definitions: [], changing: new Set<string>() };
const judge = new ReadJudge(NOTHING);
const isLikelyRead = (tool: string, args = '{}'): boolean =>
  judge.judge({ tool, args: parseJson(args) }).kind === 'likely_read';

/** Names of tools that change something, though a word of each of them reads. */
const CHANGING = `
get_and_delete getAndDelete get_or_create getOrCreate get_or_insert find_or_create findOrCreate find_and_modify
findAndModify find_and_replace findOneAndUpdate find_one_and_delete search_and_replace searchAndReplace read_and_archive
read_and_clear fetch_and_lock fetchAndLock fetch_then_ack fetch_and_mark_seen get_then_reset list_and_purge
list_item_for_sale list_items_for_sale list_property list_house_for_rent list_asset_on_marketplace list_nft listForSale
check_out_cart checkout_cart check_in_guest check_off_item check_item check_task check_todo check_box check_bag
check_baggage checkOut checkIn check_through_luggage open_account open_ticket open_file pop_message pop_queue shift_queue
take_next dequeue_job claim_task acquire_lock get_lock get_lease get_next_message get_next_id get_new_number get_new_token
get_rid_of_user get_approval get_confirmation get_consent get_user_input get_human_feedback get_refund get_otp
process_order process_refund process_list ask_user ask_human ask_question run_query run_report run_sql run execute
execute_query execute_sql exec eval evaluate invoke call_api call_tool trigger_lookup use_tool handle_request
perform_search_and_buy apply_search submit_search save_search saved_search_delete delete_search remove_from_list
add_to_list wish_list_add wish_list set_list update_list list_update clear_list empty_list create_list make_list
build_index reindex refresh_cache sync_contacts poll_and_ack poll_queue consume_message receive_message read_out
read_aloud count_down look_out look_after lookup_or_create lookup_and_book view_and_approve show_notification
show_message show_dialog display_banner print_label print_document export_report download_file import_contacts
verify_email verify_identity confirm_order validate_and_submit resolve_issue resolve_conflict close_issue track_time
watch_repo star_repo follow_user subscribe_updates monitor_start test_connection ping_user convert_points translate_file
summarize_and_send analyze_and_fix think_and_act calculate_and_apply_discount calculate_then_charge compute_and_store
estimate_and_order compare_and_swap compareAndSet compare_and_set test_and_set getAndSet getAndIncrement get_set
get_updates getUpdates get_deleteaccount get_cancelorder peek_and_pop inspect_and_repair query_and_update
select_seat select_option pick_item choose_plan reserve_table book_search_result schedule_read order_lookup_fix
request_list return_item transfer_to_human_agents log_closure file_dispute report_list_spam mark_as_read
mark_message_read set_read toggle_view enable_search grant_view send_list share_view emergency_transfer approve_check
deny_check freeze_check issue_check cash_check deposit_check write_check void_check stop_check unknownverb_user zap frob
frobnicate_orders x doit my_tool manage_users manage_orders users orders toolbox get_order_and_cancel_it
get_user_by_email_and_delete get_user_by_id_then_notify list_orders_and_refund search_flights_and_book find_room_and_reserve
find_driver_and_dispatch fetch_invoice_plus_pay retrieve_key_and_revoke describe_instance_and_terminate
count_inventory_adjust find_a_ride get_a_refund can_cancel_now_cancel does_delete get_it_done get_signed get_connected
get_logged_in retrieve_parcel retrieve_cash fetch_package inspect_fix tree_prune list_on_marketplace check_payment
check_order connect_vpn disconnect_vpn resume_line suspend_line run_speed_test get_a_loan get_my_discount
gеt_user get_dеlete get​_user get_user_ｄelete
`;

it.each(CHANGING.trim().split(/\s+/u))('%s', (name) => {
  expect(isLikelyRead(name)).toBe(false);
});

const READING = `
get_user_details get_order_details getOrder get_current_time getCurrentWeather get_flight_status get_bills_for_customer
get_customer_by_phone get_data_usage get_created_items get_pull_request get_commit get_file_contents get_issue_comments
get_user_information_by_id get_bank_account_transactions_9173 get_all_user_accounts_by_user_id_3847 get_card_last_4_digits
list_all_airports list_all_product_types list_open_issues list_branches list_directory list_allowed_directories
list_pull_requests list_commits list_transfers list_returns list_tables list_dir listBuckets
find_user_id_by_email find_user_id_by_name_zip find_user_id_by_name_and_zip find_file findOrdersByStatus
search_direct_flight search_onestop_flight search_code search_files search_dir search_nodes search web_search file_search
code_search kb_search fetch fetch_url fetch_page read read_file read_multiple_files readFile read_graph
retrieve_customer retrieve_document lookup_order look_up_user describe_table describe_instances inspect_container
check_network_status check_sim_status check_status_bar check_network_mode_preference check_apn_settings check_wifi_status
check_vpn_status check_installed_apps check_app_permissions check_data_restriction_status check_notifications
check_availability check_inventory checkBalance view_file view_image show_config count_rows compare_versions
calculate calculate_total compute_distance estimate_shipping think can_send_mms is_member has_access
Read Grep Glob LS ls grep glob cat mcp__github__get_issue github.list_issues orders/get slack:search_messages
query_orders peek_queue
`;

it('most names of tools that read are recognized', () => {
  const names = READING.trim().split(/\s+/u);
  expect(names.filter((name) => !isLikelyRead(name))).toEqual([]);
});

it('a prefix that several tools share is no verb', () => {
  const tools = '[{"name":"slack_list_channels","input_schema":{}},{"name":"slack_post_message","input_schema":{}}]';
  const definitions = readToolDefinitions(parseJson(tools));
  expect(new ReadJudge({ ...NOTHING, definitions }).judgeTool('slack_list_channels').kind).toBe('likely_read');
  expect(new ReadJudge({ ...NOTHING, definitions }).judgeTool('slack_post_message').kind).toBe('not_proven');
  expect(isLikelyRead('slack_list_channels')).toBe(false);
});

it.each([
  ['query', '{"sql":"SELECT 1"}'],
  ['query', '{"query":"DELETE FROM orders"}'],
  ['read_query', '{"query":"  -- all\\n UPDATE t SET a = 1"}'],
  ['read_query', '{"query":"SELECT 1; DROP TABLE t"}'],
  ['read_query', '{"query":"WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"}'],
  ['search', '{"query":"mutation { pay(id: 1) }"}'],
  ['fetch', '{"url":"https://x.test","method":"POST"}'],
  ['get_message', '{"id":1,"mark_as_read":true}'],
  ['get_order', '{"id":1,"action":"cancel"}'],
  ['find_user', '{"email":"a@b.c","create_if_missing":true}'],
  ['get_profile', '{"id":1,"new_email":"a@b.c"}'],
  ['read_file', '{"path":"a","content":"b"}'],
])('%s with %s carries a change', (tool, args) => {
  expect(isLikelyRead(tool, args)).toBe(false);
});

it.each([
  ['query', '{"status":"open"}'],
  ['read_query', '{"query":"SELECT created FROM t"}'],
  ['fetch', '{"url":"https://x.test","method":"GET"}'],
  ['get_message', '{"id":1,"mark_as_read":false}'],
  ['search_orders', '{"created_after":"2024-01-01","sort_order":"asc"}'],
])('%s with %s only selects', (tool, args) => {
  expect(isLikelyRead(tool, args)).toBe(true);
});
