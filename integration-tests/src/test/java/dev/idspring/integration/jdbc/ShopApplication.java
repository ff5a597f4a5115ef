package dev.idspring.integration.jdbc;

import javax.sql.DataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jdbc.repository.config.EnableJdbcAuditing;

/**
 * A shop that stores its orders with Spring Data JDBC.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJdbcAuditing
@Import(Checkout.class)
class ShopApplication {

	static final String[] CREATE_TABLES = {
			"create table orders (id bigint primary key, code varchar(13) not null unique, customer varchar(40) not null)",
			"create table order_line (id bigint primary key, orders bigint not null references orders (id),"
					+ " orders_key int not null, product varchar(40) not null, quantity int not null)",
			"create table shipment (id bigint primary key, version int not null, tracking varchar(13))",
			"create table address (id bigint primary key, shipment bigint not null references shipment (id), city varchar(40))",
			"create table parcel (id bigint primary key, shipment bigint not null references shipment (id), grams int not null)",
			"create table label (id varchar(13) primary key, parcel bigint not null references parcel (id),"
					+ " parcel_key int not null, text varchar(40))",
			"create table contact (id bigint primary key, shipment bigint not null references shipment (id),"
					+ " shipment_key varchar(20) not null, name varchar(40))",
			"create table product (id varchar(13) primary key, name varchar(40) not null, created_at timestamp)",
			"create table voucher (id bigint primary key, percent int not null)" };

	/**
	 * Return the statements that create the tables with typed ids.
	 * @param uuidType the type of columns for UUIDs
	 */
	static String[] typedIdTables(String uuidType) {
		return new String[] {
				"create table coupon (id bigint primary key, code varchar(13) not null unique, token " + uuidType
						+ " not null unique, successor bigint, foreign key (successor) references coupon (id))",
				"create table redemption (id " + uuidType
						+ " primary key, coupon bigint not null, coupon_key int not null,"
						+ " cents int not null, foreign key (coupon) references coupon (id))" };
	}

	/**
	 * Record the statements of the application.
	 */
	@Bean
	static BeanPostProcessor recorder() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof DataSource dataSource) ? new RecordingDataSource(dataSource) : bean;
			}

		};
	}

}
