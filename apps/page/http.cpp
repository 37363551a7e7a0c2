// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "apps/page/shared.hpp"

namespace vdsim::page {
namespace {

constexpr auto kHeaderTime = std::chrono::milliseconds(static_cast<int>(1000 * LiveLimits::kHeaderTime));

Request request_of(const HttpRequest& in, const std::string& client) {
  const auto field = [&](http::field name) { return std::string(in[name]); };
  Request out;
  out.method = std::string(in.method_string()), out.target = std::string(in.target());
  out.host = field(http::field::host), out.origin = field(http::field::origin);
  out.authorization = field(http::field::authorization), out.content_type = field(http::field::content_type);
  out.client = client;
  if (in.count(http::field::host) != 1 || in.count(http::field::origin) > 1) out.host = "";
  return out;
}

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(std::shared_ptr<Counted> counted, beast::tcp_stream stream)
      : counted_(std::move(counted)),
        shared_(counted_->shared),
        stream_(std::move(stream)),
        timer_(stream_.get_executor()) {
    Fault fault;
    const auto from = stream_.socket().remote_endpoint(fault);
    if (!fault) client_ = from.address().to_string();
  }

  void read() {
    parser_.emplace();
    parser_->header_limit(LiveLimits::kHeader);
    parser_->body_limit(LiveLimits::kBody);
    stream_.expires_after(kHeaderTime);  // of header and body together
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](Fault fault, std::size_t) {
      if (fault == http::error::body_limit) return self->send(error_response(413, "body too long"), false);
      if (fault == http::error::header_limit) return self->send(error_response(431, "header too long"), false);
      if (fault == http::error::end_of_stream || fault == beast::error::timeout) return self->close();
      if (fault) return self->send(error_response(400, "no HTTP"), false);
      self->take_header();
    });
  }

 private:
  void take_header() {
    const HttpRequest& head = parser_->get();
    request_ = request_of(head, client_);
    if (const int status = shared_.routes.refused(request_))
      return send(error_response(status, std::string(http::obsolete_reason(static_cast<http::status>(status)))), false);
    if (!shared_.routes.may_ask(client_, now_s())) return send(error_response(429, "too many requests"), false);
    if (path_of(request_.target) == "/api/live" && beast::websocket::is_upgrade(head)) {
      HttpRequest taken(parser_->get());
      return start_socket(counted_, std::move(stream_), std::move(taken));
    }
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Fault fault, std::size_t) {
      if (fault == http::error::body_limit) return self->send(error_response(413, "body too long"), false);
      if (fault) return self->close();
      self->request_.body = self->parser_->get().body();
      self->answer();
    });
  }

  void answer() {
    if (path_of(request_.target) == "/api/stream" && shared_.hub) return begin_stream();
    Response out;
    try {
      out = shared_.routes.answer(request_, now_s());
    } catch (const BadInput& e) {
      out = error_response(400, e.lines.empty() ? "refused" : e.lines[0]);
    } catch (const std::exception& e) {
      out = error_response(500, e.what());
    }
    send(out, parser_->get().keep_alive());
  }

  http::response<http::string_body> framed(const Response& from) const {
    http::response<http::string_body> out(static_cast<http::status>(from.status), 11);
    out.set(http::field::content_type, from.type);
    out.set("Content-Security-Policy", from.policy);
    out.set("X-Content-Type-Options", "nosniff");
    out.set("Referrer-Policy", "no-referrer");
    out.set("Cross-Origin-Resource-Policy", "same-origin");
    out.set(http::field::cache_control, "no-store");
    return out;
  }

  void send(const Response& from, bool keep) {
    response_ = framed(from);
    const bool head = request_.method == "HEAD";
    response_.keep_alive(keep);
    response_.content_length(from.body.size());
    if (!head) response_.body() = from.body;
    stream_.expires_after(kHeaderTime);
    http::async_write(stream_, response_, [self = shared_from_this(), keep](Fault fault, std::size_t) {
      if (fault || !keep) return self->close();
      self->read();
    });
  }

  // Server-sent events: the state, ten times a second, for programs without a WebSocket.
  void begin_stream() {
    text_ =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nX-Content-Type-Options: "
        "nosniff\r\n"
        "Connection: close\r\n\r\n";
    stream_on();
  }
  void stream_on() {
    stream_.expires_after(kHeaderTime);
    asio::async_write(stream_, asio::buffer(text_), [self = shared_from_this()](Fault fault, std::size_t) {
      if (fault) return self->close();
      self->timer_.expires_after(std::chrono::milliseconds(100));
      self->timer_.async_wait([self](Fault ended) {
        if (ended) return;
        self->text_ = "data: " + self->shared_.hub->state_text() + "\n\n";
        self->stream_on();
      });
    });
  }

  void close() {
    Fault ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.close();
  }

  std::shared_ptr<Counted> counted_;
  Shared& shared_;
  beast::tcp_stream stream_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_{LiveLimits::kHeader + LiveLimits::kBody};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  Request request_;
  std::string client_, text_;
};

}  // namespace

void start_http(std::shared_ptr<Counted> counted, beast::tcp_stream stream) {
  std::make_shared<HttpConnection>(std::move(counted), std::move(stream))->read();
}

}  // namespace vdsim::page
