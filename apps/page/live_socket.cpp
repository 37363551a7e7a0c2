// SPDX-License-Identifier: Apache-2.0
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include "apps/page/shared.hpp"

namespace vdsim::page {
namespace {

namespace ws = beast::websocket;

// The first protocol that both know; texts if the client names none.
std::optional<LiveProtocol> chosen_protocol(std::string_view offered) {
  if (offered.empty()) return LiveProtocol::json;
  const auto& names = EnumNames<LiveProtocol>::names;
  while (!offered.empty()) {
    std::string_view one = offered.substr(0, offered.find(','));
    offered.remove_prefix(std::min(offered.size(), one.size() + 1));
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (one == names[i]) return static_cast<LiveProtocol>(i);
  }
  return {};
}

class LiveSocket : public std::enable_shared_from_this<LiveSocket> {
 public:
  LiveSocket(std::shared_ptr<Counted> counted, beast::tcp_stream stream, HttpRequest request)
      : counted_(std::move(counted)), shared_(counted_->shared), ws_(std::move(stream)), request_(std::move(request)) {}
  ~LiveSocket() { forget(); }

  void begin() {
    const auto protocol = chosen_protocol(request_[http::field::sec_websocket_protocol]);
    if (!shared_.hub || !protocol || shared_.hub->full(now_s()))
      return refuse(!shared_.hub ? 409 : !protocol ? 400 : 503);
    protocol_ = *protocol;
    beast::get_lowest_layer(ws_).expires_never();
    ws::stream_base::timeout times{};
    times.handshake_timeout = std::chrono::seconds(static_cast<int>(LiveLimits::kHeaderTime));
    times.idle_timeout = std::chrono::seconds(static_cast<int>(2 * LiveLimits::kPing));  // a ping goes out half way
    times.keep_alive_pings = true;
    ws_.set_option(times);
    ws_.read_message_max(LiveLimits::kFrame);
    ws_.auto_fragment(false);  // a message is a frame: small clients need no more
    const bool named = request_.count(http::field::sec_websocket_protocol) > 0;
    ws_.set_option(ws::stream_base::decorator(
        [named, name = EnumNames<LiveProtocol>::names[static_cast<std::size_t>(*protocol)]](ws::response_type& out) {
          if (named) out.set(http::field::sec_websocket_protocol, name);
          out.set(http::field::server, "vdsim");
        }));
    trusted_ = shared_.guard.bearer_is_right(std::string(request_[http::field::authorization]));
    ws_.async_accept(request_, [self = shared_from_this()](Fault fault) {
      if (fault) return;
      if (self->trusted_) self->join();
      self->read();
    });
  }

 private:
  void refuse(int status) {
    response_ = {static_cast<http::status>(status), 11};
    response_.set(http::field::content_type, "text/plain");
    response_.body() = status == 409   ? "this server was started without --native\n"
                       : status == 503 ? "too many clients\n"
                                       : "unknown protocol\n";
    response_.keep_alive(false);
    response_.prepare_payload();
    http::async_write(ws_.next_layer(), response_, [self = shared_from_this()](Fault, std::size_t) {
      Fault ignored;
      self->ws_.next_layer().socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  void join() {
    client_ = shared_.hub->join(protocol_, query_value(std::string(request_.target()), "resume"), now_s());
    shared_.pumps[this] = [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->pump();
    };
    pump();
  }

  void read() {
    ws_.async_read(buffer_, [self = shared_from_this()](Fault fault, std::size_t) {
      if (fault || self->closing_) return self->drop();
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (!self->take(text)) return;
      self->pump();
      self->read();
    });
  }
  bool take(const std::string& text) {
    if (client_) {
      shared_.hub->receive(*client_, text, ws_.got_binary(), now_s());
      return true;
    }
    // {"op": "auth", "token": "..."}
    const auto first = nlohmann::json::parse(text, nullptr, false);
    const bool right = first.is_object() && first.contains("token") && first["token"].is_string() &&
                       shared_.guard.token_is_right(first["token"].get<std::string>());
    if (!right) return end({1008, "token"}), false;
    join();
    return true;
  }

  void pump() {
    if (closing_ || !client_) return;
    if (const auto close = shared_.hub->closing(*client_)) return end(*close);
    if (writing_) return;
    auto next = shared_.hub->next(*client_);
    if (!next) return;
    writing_ = true;
    sent_ = std::move(next->data);
    ws_.binary(next->binary);
    ws_.async_write(asio::buffer(sent_), [self = shared_from_this()](Fault fault, std::size_t) {
      self->writing_ = false;
      if (fault) return self->drop();
      self->pump();
    });
  }

  void forget() {
    shared_.pumps.erase(this);
    if (client_) shared_.hub->leave(*client_, now_s());
    client_.reset();
  }
  // One that does not read would not take the close either: it is cut off.
  void end(const LiveClose& how) {
    closing_ = true;
    forget();
    if (writing_) return drop();
    const ws::close_reason reason(static_cast<ws::close_code>(how.code), how.why);
    ws_.async_close(reason, [self = shared_from_this()](Fault) { self->drop(); });
  }
  void drop() {
    closing_ = true;
    forget();
    beast::get_lowest_layer(ws_).close();
  }

  std::shared_ptr<Counted> counted_;
  Shared& shared_;
  ws::stream<beast::tcp_stream> ws_;
  HttpRequest request_;
  http::response<http::string_body> response_;
  LiveProtocol protocol_ = LiveProtocol::json;
  std::optional<LiveHub::Client> client_;
  beast::flat_buffer buffer_;
  std::string sent_;
  bool trusted_ = false, writing_ = false, closing_ = false;
};

}  // namespace

void start_socket(std::shared_ptr<Counted> counted, beast::tcp_stream stream, HttpRequest request) {
  std::make_shared<LiveSocket>(std::move(counted), std::move(stream), std::move(request))->begin();
}

}  // namespace vdsim::page
