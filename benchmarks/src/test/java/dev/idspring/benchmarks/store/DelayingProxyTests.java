package dev.idspring.benchmarks.store;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayingProxy}.
 */
class DelayingProxyTests {

	private ServerSocket server;

	private DelayingProxy proxy;

	@BeforeEach
	void start() throws Exception {
		this.server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		this.proxy = new DelayingProxy((InetSocketAddress) this.server.getLocalSocketAddress(), Duration.ofMillis(1));
	}

	@AfterEach
	void stop() throws Exception {
		this.proxy.close();
		this.server.close();
	}

	@Test
	void forwardsBytesUnchangedAndCountsARoundTripPerRequest() throws Exception {
		try (Socket client = connect(); Socket database = this.server.accept()) {
			for (int round = 1; round <= 3; round++) {
				byte[] question = "question %d".formatted(round).getBytes();
				client.getOutputStream().write(question);
				assertThat(database.getInputStream().readNBytes(question.length)).isEqualTo(question);
				assertThat(this.proxy.roundTrips()).isEqualTo(round);
				database.getOutputStream().write(question);
				assertThat(client.getInputStream().readNBytes(question.length)).isEqualTo(question);
			}
		}
	}

	@Test
	void countsStatementsThatAreSentTogetherAsOneRoundTrip() throws Exception {
		try (Socket client = connect(); Socket database = this.server.accept()) {
			OutputStream out = client.getOutputStream();
			InputStream in = database.getInputStream();
			for (int i = 0; i < 3; i++) {
				out.write(i);
				assertThat(in.read()).isEqualTo(i);
			}
			assertThat(this.proxy.roundTrips()).isOne();
		}
	}

	@Test
	void forwardsTheEndOfTheStreamInBothDirections() throws Exception {
		try (Socket client = connect(); Socket database = this.server.accept()) {
			client.shutdownOutput();
			assertThat(database.getInputStream().read()).isEqualTo(-1);
		}
		try (Socket client = connect(); Socket database = this.server.accept()) {
			database.shutdownOutput();
			assertThat(client.getInputStream().read()).isEqualTo(-1);
		}
	}

	private Socket connect() throws Exception {
		return new Socket(InetAddress.getLoopbackAddress(), this.proxy.port());
	}

}
