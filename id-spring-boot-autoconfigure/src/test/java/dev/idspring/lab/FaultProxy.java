package dev.idspring.lab;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * Stands between a database and those who use it, and does to their connections what
 * networks do. One thread does everything, so nothing here needs a lock.
 */
final class FaultProxy implements AutoCloseable {

	private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final int target;

	private final Random random;

	private final Channel server;

	private volatile Weather weather = Weather.FAIR;

	/**
	 * Listen on a free port.
	 * @param target the port of the database
	 */
	FaultProxy(int target, Random random) {
		this.target = target;
		this.random = random;
		this.server = new ServerBootstrap().group(this.loop)
			.channel(NioServerSocketChannel.class)
			.childOption(ChannelOption.AUTO_READ, false)
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childHandler(new ChannelInitializer<>() {

				@Override
				protected void initChannel(Channel client) {
					new Link(client).open();
				}

			})
			.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
			.syncUninterruptibly()
			.channel();
	}

	int port() {
		return ((InetSocketAddress) this.server.localAddress()).getPort();
	}

	/**
	 * Set what becomes of bytes from now on.
	 */
	void set(Weather weather) {
		this.weather = weather;
		this.loop.submit(() -> this.links.forEach(Link::drawBudget)).syncUninterruptibly();
	}

	/**
	 * Cut all connections.
	 */
	void cutAll() {
		this.loop.submit(() -> this.links.forEach(Link::cut)).syncUninterruptibly();
	}

	@Override
	public void close() {
		this.server.close().syncUninterruptibly();
		this.loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
	}

	/**
	 * What becomes of bytes.
	 *
	 * @param latencyMillis how long they are under way
	 * @param losesQuestions whether those to the database vanish
	 * @param losesAnswers whether those from the database vanish
	 * @param cutsWithin each connection is cut after fewer bytes than this, 0 for never
	 */
	record Weather(long latencyMillis, boolean losesQuestions, boolean losesAnswers, int cutsWithin) {

		static final Weather FAIR = new Weather(0, false, false, 0);

		static Weather latency(long millis) {
			return new Weather(millis, false, false, 0);
		}

		static Weather cutting(int within) {
			return new Weather(0, false, false, within);
		}

	}

	/**
	 * A connection, and that of the proxy to the database.
	 */
	private final class Link {

		private final Channel client;

		private boolean ended;

		/** How many bytes may pass until it is cut. */
		private long budget;

		Link(Channel client) {
			this.client = client;
		}

		void open() {
			FaultProxy.this.links.add(this);
			drawBudget();
			Pipe answers = new Pipe(this, this.client, false);
			Channel database = new Bootstrap().group(this.client.eventLoop())
				.channel(NioSocketChannel.class)
				.option(ChannelOption.TCP_NODELAY, true)
				.handler(answers)
				.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), FaultProxy.this.target))
				.addListener((connected) -> {
					if (connected.isSuccess()) {
						this.client.config().setAutoRead(true);
					}
					else {
						end();
					}
				})
				.channel();
			this.client.pipeline().addLast(new Pipe(this, database, true));
			this.client.closeFuture().addListener((closed) -> {
				end();
				database.close();
			});
			database.closeFuture().addListener((closed) -> end());
		}

		void drawBudget() {
			int within = FaultProxy.this.weather.cutsWithin();
			this.budget = (within > 0) ? FaultProxy.this.random.nextInt(within) : Long.MAX_VALUE;
		}

		/**
		 * Reset it.
		 */
		void cut() {
			if (this.client.isOpen()) {
				this.client.config().setOption(ChannelOption.SO_LINGER, 0);
			}
			end();
		}

		private void end() {
			if (!this.ended) {
				this.ended = true;
				FaultProxy.this.links.remove(this);
				this.client.close();
			}
		}

	}

	/**
	 * One direction.
	 */
	private final class Pipe extends ChannelInboundHandlerAdapter {

		private final Link link;

		private final Channel other;

		private final boolean questions;

		/** What is under way: it arrives in this order, whatever the timers do. */
		private final Queue<ByteBuf> underWay = new ArrayDeque<>();

		private long lastDue;

		Pipe(Link link, Channel other, boolean questions) {
			this.link = link;
			this.other = other;
			this.questions = questions;
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf bytes = (ByteBuf) message;
			Weather weather = FaultProxy.this.weather;
			if (this.questions ? weather.losesQuestions() : weather.losesAnswers()) {
				bytes.release();
				return;
			}
			this.link.budget -= bytes.readableBytes();
			if (this.link.budget < 0) {
				bytes.writerIndex(Math.max(bytes.readerIndex(), bytes.writerIndex() + (int) this.link.budget));
				this.other.writeAndFlush(bytes).addListener((done) -> this.link.cut());
				return;
			}
			forward(context, bytes, weather.latencyMillis());
		}

		private void forward(ChannelHandlerContext context, ByteBuf bytes, long latencyMillis) {
			long now = System.nanoTime();
			// never before what was sent earlier
			this.lastDue = Math.max(now + TimeUnit.MILLISECONDS.toNanos(latencyMillis),
					this.underWay.isEmpty() ? now : this.lastDue);
			if (this.underWay.isEmpty() && latencyMillis == 0) {
				this.other.writeAndFlush(bytes);
				return;
			}
			this.underWay.add(bytes);
			context.executor()
				.schedule(() -> this.other.writeAndFlush(this.underWay.remove()), this.lastDue - now,
						TimeUnit.NANOSECONDS);
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			// what is on its way arrives
			this.other.write(this.other.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
			this.other.flush();
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			this.link.cut();
		}

	}

}
