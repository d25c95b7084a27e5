/// The curve P-384 (SP 800-186, 3.2.1).
package enum P384: Curve {
    /// The coordinates: whole numbers below 2³⁸⁴ − 2¹²⁸ − 2⁹⁶ + 2³² − 1.
    package enum Prime: Modulus {
        @inline(__always)
        package static var modulus: Limbs6 {
            Limbs6(
                0x0000_0000_ffff_ffff, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_fffe,
                0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff)
        }

        @inline(__always)
        package static var inverse: UInt64 { 0x0000_0001_0000_0001 }

        package static var radixSquared: Limbs6 {
            Limbs6(
                0xffff_fffe_0000_0001, 0x0000_0002_0000_0000, 0xffff_fffe_0000_0000,
                0x0000_0002_0000_0000, 0x0000_0000_0000_0001, 0x0000_0000_0000_0000)
        }
    }

    /// The scalars: whole numbers below the number of points.
    package enum Order: Modulus {
        @inline(__always)
        package static var modulus: Limbs6 {
            Limbs6(
                0xecec_196a_ccc5_2973, 0x581a_0db2_48b0_a77a, 0xc763_4d81_f437_2ddf,
                0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff)
        }

        @inline(__always)
        package static var inverse: UInt64 { 0x6ed4_6089_e88f_dc45 }

        package static var radixSquared: Limbs6 {
            Limbs6(
                0x2d31_9b24_19b4_09a9, 0xff3d_81e5_df1a_a419, 0xbc3e_483a_fcb8_2947,
                0xd40d_4917_4aab_1cc5, 0x3fb0_5b7a_2826_6895, 0x0c84_ee01_2b39_bf21)
        }
    }

    package static var b: Limbs6 {
        Limbs6(
            0x2a85_c8ed_d3ec_2aef, 0xc656_398d_8a2e_d19d, 0x0314_088f_5013_875a,
            0x181d_9c6e_fe81_4112, 0x988e_056b_e3f8_2d19, 0xb331_2fa7_e23e_e7e4)
    }

    package static var generator: (x: Limbs6, y: Limbs6) {
        (
            Limbs6(
                0x3a54_5e38_7276_0ab7, 0x5502_f25d_bf55_296c, 0x59f7_41e0_8254_2a38,
                0x6e1d_3b62_8ba7_9b98, 0x8eb1_c71e_f320_ad74, 0xaa87_ca22_be8b_0537),
            Limbs6(
                0x7a43_1d7c_90ea_0e5f, 0x0a60_b1ce_1d7e_819d, 0xe9da_3113_b5f0_b8c0,
                0xf8f4_1dbd_289a_147c, 0x5d9e_98bf_9292_dc29, 0x3617_de4a_9626_2c6f)
        )
    }

    package static let generatorMultiples = AffinePoint<P384>.oddMultiplesOfGenerator()
    package static let generatorTable = GeneratorTable<P384>()
}
